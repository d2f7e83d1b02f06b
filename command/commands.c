/* The list of the octavo command's subcommands, for help, manual page and completion (include/command/cli.h). */
#include "command/cli.h"

const struct cli_option cli_common[] = {
	{ .name = "dir", .arg = "DIR", .help = "data directory (else OCTAVO_DIR, else /var/lib/octavo)" },
	{ .name = "json", .help = "print the result as JSON" },
	{ .name = "help", .help = "show this text" },
	{ 0 }
};

/*
 * In the order of help and manual. Tables with the same title must be adjacent, since the title is
 * printed where it changes.
 */
const struct cli_chapter cli_chapters[] = {
	{ "Service", commands_service },
	{ "People", commands_people },
	{ "People", commands_person },
	{ "People", commands_sign_in },
	{ "People", commands_list },
	{ "Content", commands_content },
	{ "Content", commands_git },
	{ "Content", commands_site },
	{ "Content", commands_call },
	{ "Content", commands_files },
	{ "Content", commands_search },
	{ "Care", commands_doctor },
	{ "Care", commands_check },
	{ "Care", commands_metrics },
	{ "Upgrade", commands_migrate },
	{ "Backup", commands_backup },
	{ "Backup", commands_salvage },
	{ "Backup", commands_leave },
	{ "Backup", commands_blobs },
	{ "Record", commands_audit },
	{ "Conversations", commands_conversations },
	{ "Translations", commands_translations },
	{ "Manual", commands_manual },
};

const size_t cli_chapter_count = sizeof cli_chapters / sizeof cli_chapters[0];

void
cli_each_command(void (*fn)(void *, const char *, const struct cli_command *), void *ctx)
{
	for (size_t g = 0; g < cli_chapter_count; g++)
		for (const struct cli_command *cmd = cli_chapters[g].commands; cmd->name != NULL; cmd++)
			fn(ctx, cli_chapters[g].title, cmd);
}
