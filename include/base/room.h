/*
 * Room: base
 * Uses: nothing
 *
 * What needs nothing but the C library, libsodium, libyaml, utf8proc, cJSON, zlib and zstd: memory,
 * bytes, text, JSON, time, randomness, settings, child processes, files that can be made again.
 *
 * In: bytes, numbers, the environment. Out: the same, in the caller's arena. Pure but for
 * settings, secrets (DIR/octavo.key), the clock and child processes.
 *
 *   arena buf str       memory and bytes           sort map     lists and tables
 *   utf8 (fold) slug    text                       json scan    writing JSON, checking it
 *   emoji               all spellings of one       jpeg         size and orientation
 *   yaml                YAML as a tree             secret       keys, hashes, random numbers
 *   role                what somebody may do
 *   exact               the largest integer
 *   address              which addresses may be connected to
 *   kept served          what was made is kept, and sent by the web server
 *   pack                 bytes made smaller
 *   font_leaks           what LeakSanitizer is to know of fontconfig
 *   settings build      what the admin set         panic child  ends, and processes of their own
 *   descriptors         what a child must not inherit
 *   spare                room on the disk for bad days
 *   process watch        who runs, and whether it goes on
 */
