/*
 * Room: store
 * Uses: base db objects markdown layout
 *
 * Revisions and their content: nodes as span rows, trees, blobs, order keys, redirects, link maps,
 * and documents and Markdown as the API returns them. The model is in content.h.
 *
 * In: write transactions of other rooms. Out: points, nodes, pages. This room does not know HTTP
 * requests, search or permissions.
 *
 *   content (node tree write fold)   reading and writing revisions
 *   overlay                     rows of a branch over main, and the version that each came from
 *   order (order_key)           order keys of pages among their siblings
 *   stage                       revisions written in many short transactions
 *   changes                     the differences between two points
 *   link_map resolve_at places  targets of links, and the keys on which a resolved link depends
 *   page_document dereference include   JSON and Markdown of a page
 *   computed                    pages that computed pages expand to
 *   blob (blob_known place copies list owner)   bytes by their hash; files in a folder or an object store
 *   variants                    smaller versions of pictures
 *   redirect space              former addresses; making spaces
 *   invariants                  conditions that the data must meet
 */
