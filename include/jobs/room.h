/*
 * Room: jobs
 * Uses: base db text markdown layout app store links search publish merge git fetch openapi computed pdf support translate typeset
 *
 * What takes longer than a request: the kinds of job and what each does.
 */
