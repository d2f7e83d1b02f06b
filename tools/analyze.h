/* For cppcheck, which is not given the headers of libraries (tools/analyze.sh). */
#define cJSON_ArrayForEach(one, list) for (one = (list) != NULL ? (list)->child : NULL; one != NULL; one = one->next)
