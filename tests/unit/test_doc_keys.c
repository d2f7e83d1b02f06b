/* Keys of blocks on a page with so many equal blocks that their hashes are cached. */
#include "arena_fixture.h"
#include "markdown/document_tree.h"

static struct doc *
parse(struct str body)
{
	return doc_parse(arena, body, NULL, NULL, NULL);
}

/* A block among a thousand equal ones, and some different ones, has the key that it has alone. */
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
	/* The text of the last item is unique, so its key has no number. */
	alone = parse(STR("- other 999\n"))->root->child->child;
	assert_string_equal(n->key, alone->key);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(equal_blocks_have_the_key_of_one, set_up, tear_down) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
