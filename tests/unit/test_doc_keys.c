/*
 * Keys of blocks, where a page has so many that those that were hashed before are remembered.
 */
#include "arena_fixture.h"
#include "markdown/document_tree.h"

static struct doc *
parse(struct str body)
{
	return doc_parse(arena, body, NULL, NULL, NULL);
}

/* The key of a block is the same among a thousand that are alike, and some that are not, as alone. */
static void
equal_blocks_have_the_key_of_one(void **state)
{
	const struct doc_node *alone, *n;
	struct buf b;

	(void)state;
	alone = parse(STR("- word\n"))->root->child->child;
	buf_init(&b, arena, 1 << 20);
	for (int i = 0; i < 1000; i++)
		buf_printf(&b, i % 3 == 0 ? "- other %d\n" : "- word\n", i);
	n = parse(buf_view(&b))->root->child->child;
	assert_true(strncmp(n->key, alone->key, strlen(alone->key)) != 0);
	assert_string_equal(n->next->key, alone->key);
	assert_string_equal(n->next->child->key, alone->child->key);
	assert_string_equal(n->next->next->key, arena_printf(arena, "%s-1", alone->key));
	for (int i = 0; i < 999; i++)
		n = n->next;
	/* The last one has a key of its own; the others have number 333. */
	alone = parse(STR("- other 999\n"))->root->child->child;
	assert_string_equal(n->key, alone->key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(equal_blocks_have_the_key_of_one, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
