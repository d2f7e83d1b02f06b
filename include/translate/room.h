/*
 * Room: translate
 * Uses: base db markdown edit fetch
 *
 * Translates texts into another language: which texts a body has and how their translations are
 * inserted, the glossary, the memory of earlier translations, and the engines that translate. The
 * job (src/jobs/translate_job.c) decides what is translated and where the result goes.
 *
 *   body_texts  the texts of a body; the body with translated texts, verified
 *   pieces      a text as pieces that are translated or kept: placeholders, glossary terms
 *   memory      earlier translations (table translation_memory)
 *   engine      a command or an HTTP service that translates a batch
 */
