/*
 * Room: objects
 * Uses: base
 *
 * An object store with the interface of Amazon S3: objects are put, read, listed and deleted, and
 * addresses of them are signed.
 *
 * In: settings of the environment, keys, open files. Out: bytes, in pieces, and whether the store
 * could be reached. This room does not know what the objects are.
 *
 *   objects          the interface, and what a transfer is
 *   objects_curl     loads libcurl
 *   objects_list     reads lists of objects
 *   objects_sign     signs addresses
 *   objects_settings reads the settings
 */
