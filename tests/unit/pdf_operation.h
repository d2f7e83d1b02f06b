/* Pages of an API as document JSON (test_pdf_write.c). */
#ifndef OCTAVO_TEST_PDF_OPERATION_H
#define OCTAVO_TEST_PDF_OPERATION_H

/* With everything that such a page shows. */
static const char whole_operation[] =
    "{\"object\":\"document\",\"data\":{\"openapi\":{\"schemas\":{"
    "\"Cat\":{\"type\":\"object\",\"properties\":{\"lives\":{\"type\":\"integer\",\"maximum\":9,\"readOnly\":true}}},"
    "\"Size\":{\"type\":\"string\",\"enum\":[\"s\",\"l\"],\"x-enumDescriptions\":{\"l\":\"Very large\"}}}}},\"nodes\":["
    "{\"object\":\"block\",\"type\":\"openapi-operation\",\"data\":{\"path\":\"/pets\",\"method\":\"post\",\"operation\":{"
    "\"summary\":\"Add a pet\",\"servers\":[{\"url\":\"https://{r}.x.example\",\"description\":\"Live one\",\"variables\":{"
    "\"r\":{\"default\":\"eu\",\"enum\":[\"eu\",\"us\"],\"description\":\"Region of it\"}}}],"
    "\"security\":[{\"door\":[\"pets\"]}],\"securitySchemes\":{\"door\":{\"type\":\"oauth2\",\"description\":\"Ask us\","
    "\"flows\":{\"implicit\":{\"authorizationUrl\":\"https://x.example/in\",\"scopes\":{\"pets\":\"Feed them\"}}}}},"
    "\"samples\":[{\"lang\":\"bash\",\"source\":\"curl sample\"},{\"lang\":\"go\",\"source\":\"go sample\"}],"
    "\"parameters\":[{\"name\":\"q\",\"in\":\"query\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
    "\"#/components/schemas/Size\"}}}},{\"name\":\"n\",\"in\":\"header\",\"deprecated\":true,\"schema\":{\"type\":\"integer\","
    "\"default\":5,\"minimum\":1},\"example\":77,\"exampleMade\":true}],"
    "\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"oneOf\":[{\"$ref\":"
    "\"#/components/schemas/Cat\"},{\"title\":\"Other\",\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"}}],"
    "\"discriminator\":{\"propertyName\":\"sort\"}},\"examples\":{\"a\":{\"summary\":\"First one\",\"value\":{\"x\":[1]}},"
    "\"b\":{\"value\":\"second value\"}}}}},"
    "\"responses\":{\"201\":{\"description\":\"Made\",\"headers\":{\"X-Left\":{\"content\":{\"text/plain\":{\"schema\":"
    "{\"type\":\"integer\"}}},\"description\":\"How many left\"}},\"links\":{\"next\":{\"operationId\":\"getPet\"}}}},"
    "\"callbacks\":{\"done\":{\"{$url}\":{\"post\":{\"summary\":\"Told later\",\"responses\":{\"200\":"
    "{\"description\":\"Heard\"}}}}},\"list\":[[{\"responses\":[]}]]}}}}]}";

/* Its description is Markdown. */
static const char read_pet[] =
    "{\"object\":\"document\",\"data\":{\"openapi\":{\"schemas\":{\"Pet\":{\"type\":\"object\","
    "\"description\":\"Has *four* legs\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":[\"string\",\"null\"]},"
    "\"kind\":{\"anyOf\":[{\"type\":\"string\"}]}}}}}},\"nodes\":[{\"object\":\"block\",\"type\":\"openapi-operation\","
    "\"data\":{\"path\":\"/pets/{id}\",\"method\":\"get\",\"operation\":{\"summary\":\"Find a pet\","
    "\"description\":\"Needs **one** key.\\n\\n## Limits\\n\\n* ten a second\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\","
    "\"required\":true,\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"format\":\"int64\"}},\"description\":\"Which one\"}],"
    "\"responses\":{\"200\":{\"description\":\"It\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":"
    "\"#/components/schemas/Pet\"}}}}}}}},{\"object\":\"block\",\"type\":\"openapi-schemas\",\"data\":{\"schemas\":[\"Pet\"]}}]}";

/* Two parts of an allOf describe the same properties. */
static const char extended_models[] =
    "{\"object\":\"document\",\"data\":{\"openapi\":{\"schemas\":{\"Base\":{\"properties\":{"
    "\"hue\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"}}},\"Color\":{\"type\":\"string\",\"enum\":[\"red\",\"blue\"]},"
    "\"Dog\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Base\"},{\"required\":[\"hue\"],\"properties\":{\"hue\":{\"maxLength\":7},"
    "\"coat\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Color\"},{\"enum\":[\"blue\"]}]}}}]}}}},"
    "\"nodes\":[{\"object\":\"block\",\"type\":\"openapi-schemas\",\"data\":{\"schemas\":[\"Dog\",\"Color\"]}}]}";

#endif
