/*
 * Room: base
 * Uses: nothing
 *
 * Code that needs nothing but the C library, libsodium, libyaml, utf8proc, cJSON, zlib and zstd: memory,
 * bytes, text, JSON, time, randomness, settings, child processes, files that can be made again.
 *
 * In: bytes, numbers, the environment. Out: the same, in the caller's arena. Pure except for settings,
 * secrets (DIR/octavo.key), the clock and child processes.
 *
 *   arena buf str        memory and bytes              sort map         lists and tables
 *   utf8 fold slug       text                          json*            writing JSON; members of parsed JSON
 *   scan                 checking JSON before it is parsed
 *   emoji pinyin         emoji; Chinese in letters     yaml             YAML as a tree
 *   url address          addresses that Octavo gives out; IP addresses that it may connect to
 *   jpeg filter          size and orientation of JPEGs; a command of the admin as a filter
 *   role exact           roles; the largest exact integer of JSON
 *   secret               keys, hashes, random numbers
 *   kept served          cached files; pages that the web server sends by itself
 *   pack file            compression; reading and writing files
 *   time settings build  time; the admin's settings; version of the build
 *   mapped               memory in files without a name, for long lists of jobs
 *   panic log            ending a process after a bug; log lines
 *   child descriptors    child processes, and the descriptors that they inherit
 *   process watch        processes in /proc; ends processes that hang
 *   priority             lower priority for heavy work
 *   spare                disk space reserved for a full disk
 *   font_leaks           leaks of fontconfig that LeakSanitizer must ignore
 */
