/*
 * Room: translate
 * Uses: base db markdown edit fetch
 *
 * Texts into another language: which texts a body has and how they are put back, the
 * glossary, the memory of what was translated before, and the engines that translate.
 * The job (src/jobs/translate_job.c) decides what is translated and where it goes.
 *
 *   texts    the texts of a body; the body with others in their places, verified
 *   pieces   a text as what is translated and what stays: placeholders, glossary terms
 *   memory   what was translated before (table translation_memory)
 *   engine   a command or an HTTP service that translates a batch
 */
