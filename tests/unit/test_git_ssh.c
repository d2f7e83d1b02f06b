/*
 * Fetches and pushes over ssh, against a real sshd on loopback: host keys are checked, the key in
 * the given home is used, the agent is never used, and no output contains a key.
 */
#include "git_fixture.h"

static int   port;
static pid_t servers[1];

/* sshd as root needs its empty directory, which packages create when the service starts. */
static const char sshd_conf[] =
    "Port %d\nListenAddress 127.0.0.1\nHostKey %s/host\nPidFile none\nStrictModes no\nUsePAM no\n"
    "AuthorizedKeysFile %s/authorized\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
    "PermitRootLogin prohibit-password\nSubsystem sftp /bin/false\nSetEnv GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null\n";

static bool
sshd_start(void)
{
	char conf[TEMP_MAX + 16], *argv[] = { "/usr/sbin/sshd", "-D", "-e", "-f", conf, NULL };
	FILE *out;

	if (geteuid() == 0)
		mkdir("/run/sshd", 0755);
	port = free_port();
	snprintf(conf, sizeof(conf), "%s/sshd.conf", tmp);
	out = fopen(conf, "w");
	if (out == NULL)
		return false;
	fprintf(out, sshd_conf, port, tmp, tmp);
	if (fclose(out) != 0)
		return false;
	servers[0] = start(argv);
	return wait_port(port);
}

static int
group_start(void **state)
{
	(void)state;
	if (fixture_start() != 0)
		return -1;
	if (!have("git") || !have("sshd"))
		return 0;
	if (!make_repository() || !make_unreadable() || !sh("mkdir -p home/.ssh other/.ssh && ssh-keygen -q -t ed25519 -N '' -f host && "
	    "ssh-keygen -q -t ed25519 -N '' -f home/.ssh/id_ed25519 && cp home/.ssh/id_ed25519.pub authorized && "
	    "ssh-keygen -q -t ed25519 -N '' -f other/.ssh/id_ed25519") || !sshd_start())
		return -1;
	return sh("printf '[127.0.0.1]:%d %%s\\n' \"$(cut -d' ' -f1,2 host.pub)\" | tee home/.ssh/known_hosts >other/.ssh/known_hosts", port) ?
	    0 : -1;
}

static int
group_stop(void **state)
{
	(void)state;
	stop(servers[0]);
	return fixture_stop();
}

static void
need_ssh(void)
{
	need("git");
	need("sshd");
}

/* A request with the keys in tmp/NAME/.ssh; NULL: without keys. */
static struct git_request
ssh_request(const char *repository, const char *name)
{
	static char url[4][400], homes[4][TEMP_MAX + 32], user[100];
	static int turn;
	char *u = url[++turn % 4], *ssh_home = homes[turn % 4];
	struct git_request q;

	snprintf(user, sizeof(user), "%s", output("id -un"));
	snprintf(u, sizeof(url[0]), "ssh://127.0.0.1:%d%s/%s", port, tmp, repository);
	q = request(u, "cache");
	q.username = user;
	q.ref = "refs/heads/main";
	snprintf(ssh_home, sizeof(homes[0]), "%s/%s", tmp, name == NULL ? "" : name);
	q.ssh_home = name == NULL ? NULL : ssh_home;
	return q;
}

static void
ssh_fetches_and_pushes(void **state)
{
	struct git_request q;
	struct git_result r;
	char tip[41], made[41];

	(void)state;
	need_ssh();
	q = ssh_request("docs.git", "home");
	r = git_fetch(&q);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(r.commit, output("git -C docs.git rev-parse main"));
	snprintf(tip, sizeof(tip), "%s", r.commit);
	snprintf(made, sizeof(made), "%s", output("git -C cache commit-tree -p $(git -C docs.git rev-parse main) -m Over "
	    "$(git -C docs.git rev-parse 'main^{tree}')"));
	r = git_push_commit(&q, made, tip);
	assert_string_equal(r.message, "");
	assert_int_equal(r.status, GIT_DONE);
	assert_string_equal(made, output("git -C docs.git rev-parse main"));
	/* The same push again: the branch is no longer at the expected commit. */
	assert_int_equal(git_push_commit(&q, made, tip).status, GIT_MOVED);
	q = ssh_request("nothing.git", "home");
	assert_int_equal(git_fetch(&q).status, GIT_NOT_FOUND);
	assert_no_children(servers, 1);
}

static void
unreadable_repositories_are_named_over_ssh(void **state)
{
	struct git_request q;
	struct git_result r;

	(void)state;
	need_ssh();
	q = ssh_request("sha256.git", "home");
	r = git_fetch(&q);
	q = ssh_request("partial.git", "home");
	assert_unreadable(r, git_fetch(&q));
	/* Any output of the program that the server starts, or fails to start. */
	assert_true(sh("mkdir -p bin && printf '#!/bin/sh\\necho no such luck >&2\\nexit 3\\n' >bin/git-upload-pack && chmod +x bin/git-upload-pack"));
	assert_true(sh("sed -i \"s|^|command=\\\"$PWD/bin/git-upload-pack\\\" |\" authorized"));
	q = ssh_request("docs.git", "home");
	r = git_fetch(&q);
	assert_true(sh("sed -i 's/^command=.* ssh-/ssh-/' authorized"));
	assert_int_equal(r.status, GIT_NOT_FOUND);
	assert_non_null(strstr(r.message, "no such luck"));
}

/* A host with another key, or an unknown host: the client's key is not offered to it. */
static void
an_unknown_host_key_is_refused(void **state)
{
	struct git_request q;
	struct git_result r;

	(void)state;
	need_ssh();
	assert_true(sh("mkdir -p unknown/.ssh wrong/.ssh && cp home/.ssh/id_ed25519 unknown/.ssh/ && cp home/.ssh/id_ed25519 wrong/.ssh/ && "
	    "printf '[127.0.0.1]:%d %%s\\n' \"$(cut -d' ' -f1,2 home/.ssh/id_ed25519.pub)\" >wrong/.ssh/known_hosts", port));
	assert_true(sh(": >servers"));
	q = ssh_request("docs.git", "unknown");
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_DENIED);
	assert_non_null(strstr(r.message, "known_hosts"));
	q = ssh_request("docs.git", "wrong");
	r = git_fetch(&q);
	assert_int_equal(r.status, GIT_DENIED);
	assert_non_null(strstr(r.message, "known_hosts"));
	assert_true(sh("! grep -q -i -e 'accepted' -e 'userauth' -e 'authenticating user' servers"));
}

/* libgit2 opens this socket itself, so the rate of bytes is not measured; a transfer that never begins is ended. */
static void
a_silent_ssh_server_times_out(void **state)
{
	int silent = 0, fd = listen_anywhere(&silent);
	struct git_request q;
	struct git_result r;
	char url[100];
	double from = seconds_now();

	(void)state;
	need_ssh();
	q = ssh_request("docs.git", "home");
	snprintf(url, sizeof(url), "ssh://127.0.0.1:%d/docs.git", silent);
	q.url = url;
	q.limits.rate = 1000;
	q.limits.patience = 1;
	r = git_fetch(&q);
	close(fd);
	assert_int_equal(r.status, GIT_TIMEOUT);
	assert_true(seconds_now() - from < 10);
	assert_no_children(servers, 1);
}

static pid_t
agent_start(char *path)
{
	char *argv[] = { "ssh-agent", "-D", "-a", path, NULL };
	pid_t pid = start(argv);
	int i;

	setenv("SSH_AUTH_SOCK", path, 1);
	for (i = 0; i < 500 && access(path, F_OK) != 0; i++)
		usleep(10000);
	assert_true(sh("ssh-add -q home/.ssh/id_ed25519 && ssh-add -l | grep -q ED25519"));
	return pid;
}

/*
 * With a key that the server does not know, and without a key: the agent of the calling user is not
 * used, although it has the right key.
 */
static void
an_unknown_key_is_refused(void **state)
{
	char agent[TEMP_MAX + 16], path[TEMP_MAX + 16];
	struct git_result r[3];
	struct git_request q;
	pid_t pid;

	(void)state;
	need_ssh();
	assert_true(sh("mkdir -p none/.ssh && cp home/.ssh/known_hosts none/.ssh/"));
	snprintf(agent, sizeof(agent), "%s/agent", tmp);
	pid = agent_start(agent);
	q = ssh_request("docs.git", "other");
	r[0] = git_fetch(&q);
	q = ssh_request("docs.git", "none");
	r[1] = git_fetch(&q);
	/* Without a given home, the key of this process's user is not used either. */
	snprintf(path, sizeof(path), "%s/home", tmp);
	setenv("HOME", path, 1);
	q = ssh_request("docs.git", NULL);
	r[2] = git_fetch(&q);
	stop(pid);
	unsetenv("SSH_AUTH_SOCK");
	assert_int_equal(r[0].status, GIT_DENIED);
	assert_int_equal(r[1].status, GIT_DENIED);
	assert_int_equal(r[2].status, GIT_DENIED);
	assert_non_null(strstr(r[2].message, "wants a key, and none is configured"));
	assert_true(sh("! grep -r -q -e 'PRIVATE KEY' cache log servers"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ssh_fetches_and_pushes),
		cmocka_unit_test(unreadable_repositories_are_named_over_ssh),
		cmocka_unit_test(an_unknown_host_key_is_refused),
		cmocka_unit_test(a_silent_ssh_server_times_out),
		cmocka_unit_test(an_unknown_key_is_refused),
	};

	return cmocka_run_group_tests(tests, group_start, group_stop);
}
