/*
 * Room: store
 * Uses: base db markdown layout
 *
 * Revisions and what is in them: nodes as span rows, trees, blobs, order keys, redirects,
 * link maps, documents and Markdown as they leave. The model is in content.h.
 *
 * In: write transactions of other rooms. Out: points, nodes, pages. Knows nothing of
 * requests, search or who may see what.
 *
 *   content (node tree write)   reading and writing revisions
 *   overlay                     rows of a branch over main, and where they came from
 *   order (order_key)           places among siblings
 *   changes                     what differs between two points
 *   link_map resolve_at         what spellings lead to
 *   render dereference          JSON and Markdown of a page
 *   computed                    pages that computed pages expand to
 *   blob (blob_known)           bytes by their hash
 *   places                      what answers to look-ups of links depend on
 *   redirect space check        old addresses; making spaces; invariants
 */
