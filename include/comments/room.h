/*
 * Room: comments
 * Uses: base store computed publish api
 *
 * Handlers of what people say about content: comments, replies, reactions, who commented,
 * and reviews, which may come with a comment. No other room uses it; comments that follow
 * their blocks through edits are of the publish room.
 */
