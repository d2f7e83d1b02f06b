# Octavo: one Makefile, no configure.
#
#   make              everything into build/
#   make SAN=1        the same with AddressSanitizer and UBSan, into build-san/
#   make CC=clang     any C11 compiler
#   make unit         build and run the unit tests
#   make test T=NAME  one test file (see below)
#   make sanitized    the HTTP tests with sanitizers (a check runs a third of them)
#   make anomaly      one failing system call after another (tests/fault/anomaly.sh)
#   make power        losses of power (tests/fault/power.py)
#   make kills        programs that are killed or stopped (tests/fault/kills.py)
#   make disks        disks that become full or read-only (tests/http/test_disk_full.sh)
#   make mutants      changes that no test detects (tests/mutants/run.sh)
#   make cover        lines and branches that tests execute, by room (tests/cover.py)
#   make check        all tests (see tools/check.sh, which installs what is missing)
#   make bench        performance, compared with its targets
#   make compare      published sites in a browser, compared with those of other programs
#   make postgres     the tests over PostgreSQL 15, which is started for them
#   make hosts        the HTTP cases behind nginx and three ways of Apache
#   make analyze      gcc -fanalyzer and cppcheck (before a release)
#   make tidy         clang-tidy (before a release)
#   make style        the house rules that a machine can check
#   make tarball      the archive for shared hosts
#   make deb          a package for Debian 12
#   make install      PREFIX= DESTDIR= (uninstall takes the same)
#
# Libraries that have an archive are linked statically into what the web
# server starts: a plain CGI pays for every shared library at each request.

CC      ?= cc
PREFIX  ?= /usr/local
DESTDIR ?=
B       := build

CFLAGS  ?= -O2 -g
WARN    := -std=c11 -Wall -Wextra -Werror -Wshadow -Wmissing-prototypes \
           -Wstrict-prototypes -Wvla -Wformat=2 -Wno-missing-field-initializers
CPPFLAGS += -Iinclude -I$(B)/gen -D_GNU_SOURCE
# A folder has objects of one kind of flags: make B=…-san in a test, where others use its programs,
# must not compile them again without sanitizers.
ifneq ($(filter %-san,$(B)),)
SAN := 1
endif
# -g1: line numbers for reports, without variables; gold links twice as fast. Together they save a
# minute of the checks.
ifdef SAN
B       := build-san
CFLAGS  += -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
LDFLAGS += -fsanitize=address,undefined $(if $(wildcard /usr/bin/ld.gold),-fuse-ld=gold)
endif

# The flags of `dpkg-buildflags` with hardening=+all (-Wformat=2 above includes its warnings), and
# two that Debian has added since: large stack frames cannot skip the guard page, and indirect jumps
# must target the beginning of functions (x86). _FORTIFY_SOURCE needs an optimizer, and would hide
# errors from AddressSanitizer.
HARDEN := -fPIE -fstack-protector-strong -fstack-clash-protection \
          $(if $(filter x86_64% i%86%,$(shell $(CC) -dumpmachine)),-fcf-protection) \
          $(if $(filter -O -O1 -O2 -O3 -Os,$(CFLAGS)),$(if $(findstring -fsanitize,$(CFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
LDFLAGS += -pie -Wl,-z,relro -Wl,-z,now

# -l:libx.a where the archive exists, -lx otherwise.
LIBDIRS := $(shell $(CC) -print-search-dirs | sed -n 's/^libraries: =//p' | tr : ' ')
archive  = $(if $(firstword $(wildcard $(addsuffix /lib$(1).a,$(LIBDIRS)))),-l:lib$(1).a,-l$(1))
LIBS_CORE := $(foreach l,cmark-gfm-extensions cmark-gfm gumbo yaml cjson sodium utf8proc stemmer sqlite3 zstd z,$(call archive,$(l))) -lm
LIBS_CGI  := $(call archive,fcgi)
LIBS_GIT  := -lgit2
# Only for octavo-fetch and octavo-pdf: loading these libraries takes longer than most jobs.
LIBS_FETCH := -lpcre2-8 -lcurl
LIBS_PDF  := $(shell pkg-config --libs pangocairo librsvg-2.0 gdk-pixbuf-2.0 libwebp libwebpmux)
# Only for octavo-oidc; cjose uses jansson and OpenSSL's libcrypto.
LIBS_OIDC := -lcjose -lcurl
# Only for octavo-saml: XML with signatures (lasso brings libxml2, xmlsec and GLib).
LIBS_SAML := $(shell pkg-config --libs lasso libxml-2.0 gobject-2.0)
SAML_FLAGS := $(shell pkg-config --cflags lasso libxml-2.0 | sed 's/-I/-isystem /g')
# Only for octavo-passkey; libfido2 brings OpenSSL, libcbor and libudev.
LIBS_PASSKEY := -lfido2
# Libraries of the job tests.
LIBS_JOBS := $(LIBS_GIT) $(LIBS_FETCH) $(LIBS_OIDC) $(LIBS_PASSKEY) $(LIBS_SAML) -larchive
# Only the room pdf may include the headers of these libraries.
PDF_FLAGS := $(shell pkg-config --cflags pangocairo librsvg-2.0 gdk-pixbuf-2.0 libwebp | sed 's/-I/-isystem /g')
PRISM   ?= /usr/share/nodejs/prismjs
KATEX   ?= /usr/share/javascript/katex/katex.min.js
CODEMIRROR ?= /usr/share/javascript/codemirror
ICONS   ?= /usr/share/bootstrap-icons/svg
EMOJI   ?= /usr/share/gocode/src/github.com/yuin/goldmark-emoji/definition/github.go
PASSWORDS ?= /usr/lib/python3/dist-packages/zxcvbn/frequency_lists.py
OPENAPI_SCHEMAS ?= /usr/share/openapi-specification/schemas

# Rooms (include/ROOM/room.h), and the archive of each: code of every program, code that answers
# requests, code of jobs only.
ROOMS    := base db objects text http app signin markdown layout store computed links search propagate merge edit \
            conversations audience render expr typeset
# The parts of the git room that check URLs and store credentials do not need libgit2: the API uses them too.
SRC_URL  := src/git/git_url.c src/git/credentials.c
SRC_CORE := $(wildcard $(foreach r,$(ROOMS),src/$(r)/*.c src/$(r)/*/*.c)) $(SRC_URL)
SRC_API  := $(wildcard src/api/*.c src/api/*/*.c src/reader/*.c src/views/*.c)
SRC_JOBS := $(filter-out $(SRC_URL),$(wildcard src/git/*.c src/openapi/*.c src/fetch/*.c src/oidc/*.c src/passkey/*.c src/pdf/*.c src/saml/*.c src/translate/*.c src/sync/*.c src/arrive/*.c src/jobs/*.c))
SRC_TOOL := $(wildcard command/*.c command/*/*.c)
TESTS    := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))

obj = $(patsubst %.c,$(B)/%.o,$(1))

PROGRAMS := $(patsubst cgi/%.c,$(B)/octavo-%,$(filter-out $(addprefix cgi/,serve.c idle.c relay.c relay_send.c job.c question.c),$(wildcard cgi/*.c))) $(if $(SRC_TOOL),$(B)/octavo)

all: $(PROGRAMS)

# The list of sources: archives must not keep objects of a deleted file, or of another branch.
SOURCES := $(sort $(SRC_CORE) $(SRC_API) $(SRC_JOBS) $(SRC_TOOL) $(wildcard schema/*.sql))
$(shell mkdir -p $(B); echo '$(SOURCES)' | cmp -s - $(B)/sources || echo '$(SOURCES)' > $(B)/sources)
$(B)/gen/schema.h $(B)/libcore.a $(B)/libapi.a $(B)/libjobs.a $(B)/octavo: $(B)/sources

# The identity of the build (include/base/build.h), made again when it changes.
BUILD_ID := $(shell git describe --always --dirty 2>/dev/null || echo release)
$(shell echo '$(BUILD_ID)' | cmp -s - $(B)/build_id || echo '$(BUILD_ID)' > $(B)/build_id)
$(B)/src/base/build.o: CPPFLAGS += -DOCTAVO_BUILD='"$(BUILD_ID)"'
$(B)/src/base/build.o: $(B)/build_id

# Other flags make other objects. Without the build folder, which callers name in several ways.
COMPILE := $(CC) $(subst -I$(B)/gen,,$(CPPFLAGS)) $(WARN) $(HARDEN) $(CFLAGS)
$(shell echo '$(COMPILE)' | cmp -s - $(B)/flags || echo '$(COMPILE)' > $(B)/flags)

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) $(HARDEN) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/src/pdf/%.o: CPPFLAGS += $(PDF_FLAGS)
$(B)/src/saml/%.o: CPPFLAGS += $(SAML_FLAGS)

# The schema is part of the programs, so that no file can be missing.
$(B)/gen/schema.h: $(sort $(wildcard schema/*.sql)) tools/embed.sh
	@mkdir -p $(@D)
	sh tools/embed.sh $(sort $(wildcard schema/*.sql)) > $@.tmp && mv $@.tmp $@

$(B)/src/db/db_schema.o: $(B)/gen/schema.h

# Templates and all other files below assets/ (include/app/assets.h), and the notices of what is linked or embedded.
ASSETS := $(sort $(shell find assets -type f))
NOTICES := $(B)/gen/assets/about/licences.txt
$(NOTICES): tools/licences.sh LICENSE
	@mkdir -p $(@D)
	(cat LICENSE; echo; sh tools/licences.sh built) > $@.tmp && mv $@.tmp $@
# The editor of the pages below /app: CodeMirror from Debian's package, with what it needs for Markdown and for
# finding, and its script and style with ours.
EDITOR := $(B)/gen/assets/app/editor.js $(B)/gen/assets/app/editor.css
EDITOR_JS := $(addprefix $(CODEMIRROR)/,lib/codemirror.js mode/markdown/markdown.js addon/search/searchcursor.js \
	addon/edit/continuelist.js)
$(B)/gen/assets/app/editor.js: $(EDITOR_JS) src/views/editor_paste.js src/views/editor_rows.js src/views/editor.js
	@mkdir -p $(@D)
	cat $^ > $@.tmp && mv $@.tmp $@
$(B)/gen/assets/app/editor.css: $(CODEMIRROR)/lib/codemirror.css src/views/editor.css
	@mkdir -p $(@D)
	cat $^ > $@.tmp && mv $@.tmp $@
$(shell echo '$(ASSETS)' | cmp -s - $(B)/assets || echo '$(ASSETS)' > $(B)/assets)
$(B)/gen/assets.c: $(ASSETS) $(NOTICES) $(EDITOR) $(B)/assets tools/embed_assets.sh
	@mkdir -p $(@D)
	sh tools/embed_assets.sh assets $(B)/gen/assets > $@.tmp && mv $@.tmp $@
$(B)/gen/assets.o: $(B)/gen/assets.c $(B)/flags
	$(CC) $(CPPFLAGS) $(WARN) $(HARDEN) $(CFLAGS) -c -o $@ $<

# The same for the web server's configuration files.
$(B)/gen/nginx.h: nginx/up.conf nginx/locations.conf tools/embed_text.sh
	@mkdir -p $(@D)
	sh tools/embed_text.sh nginx_up=nginx/up.conf nginx_locations=nginx/locations.conf > $@.tmp && mv $@.tmp $@

$(B)/command/service/service_conf.o: $(B)/gen/nginx.h

# And for the JSON schemas of OpenAPI: the official ones come from Debian's openapi-specification. A
# keyword in them that the schema module does not know fails the build.
OPENAPI := $(OPENAPI_SCHEMAS)/v2.0/schema.json $(OPENAPI_SCHEMAS)/v3.0/schema.json \
           src/openapi/draft-04.json src/openapi/openapi-3.1.json
$(B)/gen/openapi_schemas.h: $(OPENAPI) tools/embed_text.sh
	@mkdir -p $(@D)
	sh tools/embed_text.sh schema_2_0=$(word 1,$(OPENAPI)) schema_3_0=$(word 2,$(OPENAPI)) \
		schema_draft_4=$(word 3,$(OPENAPI)) schema_3_1=$(word 4,$(OPENAPI)) > $@.tmp && mv $@.tmp $@
$(B)/src/openapi/openapi_check.o: $(B)/gen/openapi_schemas.h
$(B)/openapi_schemas: $(B)/tools/build/openapi_schemas.o $(call obj,$(wildcard src/openapi/*.c)) $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_JOBS) $(LIBS_CORE)
$(B)/gen/openapi_schemas.ok: $(B)/openapi_schemas
	$< && touch $@
$(B)/libjobs.a: $(B)/gen/openapi_schemas.ok

$(B)/libcore.a: $(call obj,$(SRC_CORE)) $(B)/gen/assets.o
	rm -f $@ && ar rcs $@ $(filter %.o,$^)
$(B)/libapi.a: $(call obj,$(SRC_API))
	rm -f $@ && ar rcs $@ $(filter %.o,$^)
$(B)/libjobs.a: $(call obj,$(SRC_JOBS))
	rm -f $@ && ar rcs $@ $(filter %.o,$^)

# Icons from Debian's package, under the names that clients know.
$(B)/gen/icons.h: src/reader/icons.txt tools/embed_icons.sh $(ICONS)/book.svg
	@mkdir -p $(@D)
	sh tools/embed_icons.sh $(ICONS) src/reader/icons.txt > $@.tmp && mv $@.tmp $@
$(B)/src/reader/icon.o: $(B)/gen/icons.h

# Emoji and their shortcodes, in the same way.
$(B)/gen/emoji_table.h: src/markdown/emoji.txt tools/embed_emoji.sh $(EMOJI)
	@mkdir -p $(@D)
	sh tools/embed_emoji.sh $(EMOJI) src/markdown/emoji.txt > $@.tmp && mv $@.tmp $@
$(B)/src/markdown/read/doc_emoji.o $(B)/tests/unit/test_emoji.o: $(B)/gen/emoji_table.h

# Common passwords, likewise.
$(B)/gen/common_passwords.h: tools/embed_passwords.sh include/signin/password.h $(PASSWORDS)
	@mkdir -p $(@D)
	sh tools/embed_passwords.sh $(PASSWORDS) $$(sed -n 's/.*PASSWORD_LEAST = \([0-9]*\).*/\1/p' include/signin/password.h) > $@.tmp && mv $@.tmp $@
$(B)/src/signin/password.o: $(B)/gen/common_passwords.h

# The commonest words of English, likewise.
$(B)/gen/common_words.h: tools/embed_words.sh $(PASSWORDS)
	@mkdir -p $(@D)
	sh tools/embed_words.sh $(PASSWORDS) > $@.tmp && mv $@.tmp $@
$(B)/src/conversations/analysis/prior.o: $(B)/gen/common_words.h

# Prism and KaTeX from Debian's packages, embedded in the only program that runs them.
$(B)/gen/typeset.js: tools/typeset_js.sh $(wildcard src/typeset/js/*.js) $(KATEX) $(PRISM)/components.json
	@mkdir -p $(@D)
	sh tools/typeset_js.sh $(PRISM) $(KATEX) src/typeset/js > $@.tmp && mv $@.tmp $@
$(B)/cgi/typeset.o: $(B)/gen/typeset.js
$(B)/cgi/typeset.o: CPPFLAGS += -DOCTAVO_SCRIPTS='"$(B)/gen/typeset.js"'
$(B)/octavo-typeset: $(B)/cgi/typeset.o
	$(CC) $(LDFLAGS) -o $@ $^ -lduktape -lm

# Preview pictures of pages: workers do not link Cairo and Pango, which would slow their start.
$(B)/cgi/picture.o: CPPFLAGS += $(PDF_FLAGS)
$(B)/octavo-picture: $(B)/cgi/picture.o
	$(CC) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs pangocairo)

# Archives of imports; octavo-pdf writes archives with the same library.
$(B)/octavo-unpack: $(B)/cgi/unpack.o $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ -larchive $(LIBS_CORE)
# It asks the API, as octavo export does, and is the same code.
$(B)/octavo-leave: $(B)/cgi/leave.o $(B)/cgi/job.o $(filter-out %/command/octavo.o,$(call obj,$(SRC_TOOL))) $(B)/libapi.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)
$(B)/octavo-jobs: $(B)/cgi/jobs.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_GIT) $(LIBS_CORE)
$(B)/octavo-fetch: $(B)/cgi/fetch.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_FETCH) $(LIBS_CORE)
$(B)/octavo-oidc: $(B)/cgi/oidc.o $(B)/cgi/question.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_OIDC) $(LIBS_CORE)
$(B)/octavo-passkey: $(B)/cgi/passkey.o $(B)/cgi/question.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_PASSKEY) $(LIBS_CORE)
$(B)/octavo-saml: $(B)/cgi/saml.o $(B)/cgi/question.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_SAML) $(LIBS_CORE)
$(B)/octavo-pdf: $(B)/cgi/pdf.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_PDF) -larchive $(LIBS_GIT) $(LIBS_CORE)
# Started by a host about which nothing is known: static, with the C library only.
$(B)/octavo-launch: $(B)/cgi/launch.o $(B)/cgi/relay.o $(B)/cgi/relay_send.o $(B)/src/base/descriptors.o
	$(CC) $(LDFLAGS) $(if $(SAN),,-static-pie) -o $@ $^
# Workers stay, and there are several: their relocations are packed, a megabyte less in each. Loaders
# of glibc know these from 2.36 on.
PACKED := $(if $(SAN),,$(shell getconf GNU_LIBC_VERSION 2>/dev/null | awk '$$2 >= 2.36 { print "-Wl,-z,pack-relative-relocs" }'))
$(B)/octavo-%: $(B)/cgi/%.o $(B)/cgi/serve.o $(B)/cgi/idle.o $(B)/libapi.a $(B)/libcore.a
	$(CC) $(LDFLAGS) $(PACKED) -o $@ $^ $(LIBS_CGI) $(LIBS_CORE)
# For plain CGI, with one process per request: linked at a fixed address. Otherwise the loader would
# relocate ten thousand addresses first, which takes as many pages of memory as everything else.
$(B)/fixed/octavo-%: $(B)/cgi/%.o $(B)/cgi/serve.o $(B)/cgi/idle.o $(B)/libapi.a $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) $(if $(SAN),,-no-pie) -o $@ $^ $(LIBS_CGI) $(LIBS_CORE)
fixed: $(B)/fixed/octavo-api $(B)/fixed/octavo-site
$(B)/octavo: $(call obj,$(SRC_TOOL)) $(B)/libapi.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $(filter-out %/sources,$^) $(LIBS_CORE)

# Unit tests: one program per file; test_git*, test_jobs*, test_openapi*, test_fetch*, test_pdf*,
# test_translate*, test_oidc* also link the job runner.
$(B)/tests/test_passkey: LIBS_TEST = $(B)/libjobs.a $(B)/libcore.a $(LIBS_PASSKEY)
$(B)/tests/test_saml: LIBS_TEST = $(B)/libjobs.a $(B)/libcore.a $(LIBS_SAML) $(shell pkg-config --libs xmlsec1)
$(B)/tests/unit/test_saml.o: CPPFLAGS += $(SAML_FLAGS)
$(B)/tests/test_oidc% $(B)/tests/test_git% $(B)/tests/test_fetch% $(B)/tests/test_jobs% $(B)/tests/test_openapi% $(B)/tests/test_pdf% $(B)/tests/test_translate%: LIBS_TEST = $(B)/libjobs.a $(B)/libcore.a $(LIBS_JOBS)
$(B)/tests/test_pdf% $(B)/tests/test_jobs_pdf%: LIBS_TEST = $(B)/libjobs.a $(B)/libcore.a $(LIBS_PDF) -larchive $(LIBS_GIT)
# It makes pictures with the same library.
$(B)/tests/unit/test_pdf_variants.o: CPPFLAGS += $(PDF_FLAGS)
# They run the programs themselves.
$(B)/tests/test_typeset: | $(B)/octavo-typeset
$(B)/tests/test_signin_passkey: | $(B)/octavo-passkey
# Objects of the programs that are in no archive.
$(B)/tests/test_idle: $(B)/cgi/idle.o
$(B)/tests/test_idle: LIBS_TEST = $(B)/cgi/idle.o
$(B)/tests/test_relay: $(B)/cgi/relay_send.o
$(B)/tests/test_relay: LIBS_TEST = $(B)/cgi/relay_send.o
# Every statement of every program: whole archives, and the octavo command without its main().
OBJ_TOOL := $(filter-out %/command/octavo.o,$(call obj,$(SRC_TOOL)))
$(B)/tests/test_plans: $(OBJ_TOOL) $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a
$(B)/tests/test_plans: LIBS_TEST = $(OBJ_TOOL) -Wl,--whole-archive $(B)/libapi.a $(B)/libjobs.a \
	$(B)/libcore.a -Wl,--no-whole-archive $(LIBS_JOBS) $(LIBS_PDF)
$(B)/tests/statements: $(B)/tests/http/statements.o $(OBJ_TOOL) $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $< $(OBJ_TOOL) -Wl,--whole-archive $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a \
		-Wl,--no-whole-archive $(LIBS_JOBS) $(LIBS_PDF) $(LIBS_CORE)
# These run `octavo check` on their databases.
$(B)/tests/test_jobs_purge $(B)/tests/test_migrate: $(OBJ_TOOL)
$(B)/tests/test_jobs_purge: LIBS_TEST = $(OBJ_TOOL) $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a $(LIBS_JOBS)
$(B)/tests/test_migrate: LIBS_TEST = $(OBJ_TOOL) $(B)/libapi.a $(B)/libcore.a
$(B)/tests/test_leave $(B)/tests/test_leave_beside: $(OBJ_TOOL)
$(B)/tests/test_leave $(B)/tests/test_leave_beside: LIBS_TEST = $(OBJ_TOOL) $(B)/libapi.a $(B)/libcore.a
$(B)/tests/test_service: $(OBJ_TOOL)
$(B)/tests/test_service: LIBS_TEST = $(OBJ_TOOL) $(B)/libapi.a $(B)/libcore.a
$(B)/tests/unit/test_migrate.o: $(B)/gen/schema.h
$(B)/tests/test_%: $(B)/tests/unit/test_%.o $(B)/libjobs.a $(B)/libapi.a $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $< $(or $(LIBS_TEST),$(B)/libapi.a $(B)/libcore.a) $(LIBS_CORE) -lcmocka

# Unit tests over PostgreSQL (tests/postgres/units.sh): each links everything that any of them needs.
LINK_POSTGRES = mkdir -p $(@D) && $(CC) $(LDFLAGS) -Wl,-S,--wrap=db_open -o $@ $< $(B)/tests/postgres/wrap.o $(OBJ_TOOL) \
	-Wl,--start-group $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a -Wl,--end-group $(LIBS_JOBS) $(LIBS_PDF) $(LIBS_CORE) -lcmocka
POSTGRES_PARTS := $(B)/tests/postgres/wrap.o $(OBJ_TOOL) $(B)/libjobs.a $(B)/libapi.a $(B)/libcore.a
$(B)/postgres/test_%: $(B)/tests/unit/test_%.o $(POSTGRES_PARTS)
	$(LINK_POSTGRES)
$(B)/postgres/test_%: $(B)/tests/postgres/test_%.o $(POSTGRES_PARTS)
	$(LINK_POSTGRES)

postgres: all helpers
	OCTAVO_BUILD=$(B) MAKE="$(MAKE)" sh tests/postgres/run.sh
.PHONY: postgres

# A developer's aid: reads Markdown, prints the parsed document.
$(B)/tests/doc_dump: $(B)/tests/unit/doc_dump.o $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)

# Programs of the next release: with one more schema step (tests/http/test_upgrade.sh).
NEXT_STEP := tests/fixtures/next_step.sql
$(B)/next/schema.h: $(sort $(wildcard schema/*.sql)) $(NEXT_STEP) tools/embed.sh
	@mkdir -p $(@D)
	sh tools/embed.sh $(sort $(wildcard schema/*.sql)) $(NEXT_STEP) > $@.tmp && mv $@.tmp $@
$(B)/next/db_schema.o: src/db/db_schema.c $(B)/next/schema.h
	$(CC) -I$(B)/next $(CPPFLAGS) $(WARN) $(HARDEN) $(CFLAGS) -c -o $@ $<
# The object comes before the archive with the one that it replaces.
$(B)/next/octavo-jobs: $(B)/next/db_schema.o $(B)/cgi/jobs.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_GIT) $(LIBS_CORE)
$(B)/next/octavo-fetch: $(B)/next/db_schema.o $(B)/cgi/fetch.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_FETCH) $(LIBS_CORE)
$(B)/next/octavo-pdf: $(B)/next/db_schema.o $(B)/cgi/pdf.o $(B)/cgi/job.o $(B)/libjobs.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_PDF) -larchive $(LIBS_GIT) $(LIBS_CORE)
$(B)/next/octavo-%: $(B)/next/db_schema.o $(B)/cgi/%.o $(B)/cgi/serve.o $(B)/cgi/idle.o $(B)/libapi.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CGI) $(LIBS_CORE)
$(B)/next/octavo: $(B)/next/db_schema.o $(call obj,$(SRC_TOOL)) $(B)/libapi.a $(B)/libcore.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)
next: $(addprefix $(B)/next/,octavo octavo-api octavo-site octavo-jobs octavo-fetch octavo-pdf)

# Measures search (tests/search/run).
$(B)/tests/search_judge: $(B)/tests/search/judge.o $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)

# Measures the analysis of conversations (tests/conversations/README.md).
$(B)/tests/conversations_measure $(B)/tests/conversations_judge: $(B)/tests/conversations_%: $(B)/tests/conversations/%.o $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)

# Helpers of the HTTP tests.
HELPERS := $(B)/tests/sql $(B)/tests/stop_job $(B)/tests/stop_leaving
$(HELPERS): $(B)/tests/%: $(B)/tests/http/%.o $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $^ $(LIBS_CORE)
# It must start as fast as it can: no sanitizer, and no shared library.
$(B)/tests/exchange: tests/http/exchange.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) -O2 -static -o $@ $<
# Loaded into the programs before the C library (LD_PRELOAD); without sanitizers, which want to be first.
$(B)/tests/fault.so $(B)/tests/record.so: $(B)/tests/%.so: tests/fault/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(WARN) -O2 -shared -fPIC -fno-builtin -o $@ $<
HELPERS += $(B)/tests/exchange $(B)/tests/statements $(B)/tests/fault.so $(B)/tests/record.so
helpers: $(HELPERS)

# Benchmarks and the programs that they are compared with: tests/bench/run.sh.
BENCH := $(patsubst tests/bench/%.c,$(B)/tests/bench_%,$(wildcard tests/bench/*.c))
BENCHES := $(BENCH) $(B)/tests/search_judge $(B)/tests/conversations_measure
# These two must start as fast as they can.
$(B)/tests/bench_constant $(B)/tests/bench_spawn: LIBS_CORE :=
$(B)/tests/bench_openapi: $(B)/libjobs.a
$(B)/tests/bench_openapi: LIBS_BENCH = $(B)/libjobs.a $(B)/libcore.a $(LIBS_JOBS)
$(B)/tests/bench_%: $(B)/tests/bench/%.o $(B)/libapi.a $(B)/libcore.a
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $< $(or $(LIBS_BENCH),$(B)/libapi.a $(B)/libcore.a) $(LIBS_CGI) $(LIBS_CORE)

# The benchmarks as well, so that a change that breaks them is noticed.
benches: $(BENCHES)
tests: $(TESTS) $(HELPERS) $(BENCHES)

unit: $(TESTS)
	@sh tests/unit/run.sh $(TESTS)

# The unit and HTTP tests with sanitizers, of which a check runs a third.
sanitized:
	@$(MAKE) -s SAN=1 all tests && mkdir -p build-san/reports && rm -f build-san/reports/*
	@ASAN_OPTIONS=log_path=$(CURDIR)/build-san/reports/report:detect_leaks=1:log_exe_name=1 \
		UBSAN_OPTIONS=log_path=$(CURDIR)/build-san/reports/report:print_stacktrace=1 sh -c '$(MAKE) -s SAN=1 unit && sh tests/http/sanitized.sh'
	@sh tests/san_reports.sh build-san/reports

# One test: make test T=test_search (a unit program), T=tests/http/cases/56_search.sh,
# T=access_matrix (a part of tests/http/access.sh), T=tests/client/cases/60-search.mjs.
test:
	@sh tests/one.sh $(B) $(T)

# Thirty damages of a database, and the results of octavo salvage; the checks try three of them.
damage:
	@$(MAKE) -s all tests && OCTAVO_DAMAGES=$(or $(DAMAGES),30) OCTAVO_SEED=$(or $(SEED),1) OCTAVO_BUILD=$(B) sh tests/http/test_damage.sh

# Each operation with one failing call of the C library after another; of more than MOST calls of a
# kind a sample of so many. KINDS and CALLS: only these of tests/fault/anomaly.sh.
anomaly:
	@$(MAKE) -s all helpers && OCTAVO_ANOMALIES=$(or $(MOST),400) OCTAVO_KINDS='$(KINDS)' OCTAVO_CALLS='$(CALLS)' \
		OCTAVO_SEED=$(or $(SEED),1) OCTAVO_BUILD=$(B) sh tests/http/test_anomaly.sh

# Losses of power at CRASHES moments of recorded writes (tests/fault/power.py).
power:
	@$(MAKE) -s all helpers && OCTAVO_CRASHES=$(or $(CRASHES),10000) OCTAVO_SEED=$(or $(SEED),1) OCTAVO_BUILD=$(B) sh tests/http/test_power.sh

# ROUNDS of programs that are killed or stopped under load (tests/fault/kills.py).
kills:
	@$(MAKE) -s all helpers && OCTAVO_ROUNDS=$(or $(ROUNDS),300) OCTAVO_SEED=$(or $(SEED),1) OCTAVO_BUILD=$(B) sh tests/http/test_crash.sh

# ROUNDS of a disk that becomes full, runs out of inodes, or becomes read-only during writes.
disks:
	@$(MAKE) -s all helpers && OCTAVO_ROUNDS=$(or $(ROUNDS),20) OCTAVO_SEED=$(or $(SEED),1) OCTAVO_BUILD=$(CURDIR)/$(B) sh tests/http/test_disk_full.sh

# The share of lines and branches of each room that the unit tests execute, and, with HTTP="cases access" (names
# for tests/http/run.sh), these. COVER="store db/db.c": the lines and branches there that are left (tests/cover.py).
cover:
	@$(MAKE) -s B=build-cover CFLAGS='-O0 -g0 --coverage' LDFLAGS=--coverage WARN=-std=c11 all helpers unit
	@[ -z '$(HTTP)' ] || OCTAVO_BUILD=$(CURDIR)/build-cover sh tests/http/run.sh $(HTTP)
	@python3 tests/cover.py build-cover $(COVER)

# Mutants that no test detects, for example in the changes of a branch: make mutants
# BASE=origin/main; options are in tests/mutants/run.sh.
mutants:
	@FILES='$(FILES)' BASE='$(BASE)' SAMPLE='$(or $(SAMPLE),0)' SEED='$(or $(SEED),1)' \
		TESTS='$(if $(findstring command,$(origin TESTS)),$(TESTS))' sh tests/mutants/run.sh

# The cases of the HTTP API behind each web server, at the root and below a path, with a line of
# counts for each; the check runs a sample of them (tests/http/test_hosts.sh).
HOSTS ?= nginx nginx/docs proxy_fcgi proxy_fcgi/docs fcgid fcgid/docs cgid cgid/docs
hosts:
	@sh tools/deps.sh test
	@$(MAKE) -s all helpers
	@OCTAVO_BUILD=$(B) sh tests/http/run.sh $(foreach h,$(HOSTS),'tests/http/test_hosts.sh $(h)')

style: all
	sh tools/style.sh
	sh tools/rooms.sh . $(B)
	sh tools/globals.sh $(B)

check:
	sh tools/check.sh

# gcc -fanalyzer and cppcheck for each source: four minutes of one processor, so before a release
# and not in the checks.
analyze: all
	sh tools/analyze.sh $(B)
# The checks of .clang-tidy: six minutes of one processor.
tidy: all
	sh tools/tidy.sh $(B)

# make bench ROWS="cgi lists" prints these rows only.
bench:
	@sh tools/deps.sh bench
	@$(MAKE) -s all $(B)/tests/sql $(BENCHES)
	@sh tests/bench/run.sh $(B) $(ROWS)

# How well conversations are put together that others labelled: make judge-conversations DATA=DIR (tests/conversations/README.md).
judge-conversations:
	@$(MAKE) -s $(B)/tests/conversations_judge
	@/usr/bin/python3 tests/conversations/judge.py $(B)/tests/conversations_judge $(DATA) $(SETS)

# Whether links of real documentation lead where they did: make links FOLDERS='checkout ...'; without
# FOLDERS, the repositories of tests/arrive/repositories, which git clones.
links:
	@$(MAKE) -s all
	@sh tests/arrive/links.sh $(B) $(FOLDERS)

compare:
	@sh tools/deps.sh test
	@$(MAKE) -s all $(B)/tests/sql
	@sh tests/bench/compare.sh $(B)

# A real installation: programs, systemd units, and the web server's files with their paths filled
# in. docs/operate/install.md describes the further steps.
STATE   ?= /var/lib/octavo
RUN     ?= /run/octavo
BINDIR  := $(DESTDIR)$(PREFIX)/bin
LIBDIR  := $(DESTDIR)$(PREFIX)/lib/octavo
DOCDIR  := $(DESTDIR)$(PREFIX)/share/doc/octavo
MANDIR  := $(DESTDIR)$(PREFIX)/share/man/man1
COMPDIR := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
FILES   := DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' STATE='$(STATE)' RUN='$(RUN)' sh tools/install.sh

install: all
	install -d $(BINDIR) $(LIBDIR) $(DOCDIR) $(MANDIR) $(COMPDIR)
	install $(B)/octavo $(BINDIR)/octavo
	install $(filter $(B)/octavo-%,$(PROGRAMS)) $(LIBDIR)/
	install -m 644 README.md LICENSE $(NOTICES) $(DOCDIR)/
	for file in $$(find docs -type f); do install -D -m 644 $$file $(DOCDIR)/$$file || exit 1; done
	$(B)/octavo manual | gzip -9n >$(MANDIR)/octavo.1.gz
	$(B)/octavo completion >$(COMPDIR)/octavo
	chmod 644 $(MANDIR)/octavo.1.gz $(COMPDIR)/octavo
	$(FILES) install

# For hosts that accept files and nothing else: docs/operate/shared-hosting.md.
tarball: $(B)/octavo.tar.gz
$(B)/octavo.tar.gz: $(PROGRAMS) fixed tools/tarball.sh nginx/htaccess docs/operate/shared-hosting.md
	sh tools/tarball.sh $(B) $@

# A package for Debian 12: build/octavo.deb. Its files: tools/deb.sh, debian/.
deb: all
	@sh tools/deps.sh deb
	rm -rf $(B)/deb
	@$(MAKE) -s install B=$(B) DESTDIR=$(CURDIR)/$(B)/deb PREFIX=/usr STATE=/var/lib/octavo RUN=/run/octavo
	sh tools/deb.sh $(B)/deb $(B)/octavo.deb
	rm -rf $(B)/deb

# Removes what install installed; the data and /etc/octavo stay.
uninstall:
	rm -rf $(BINDIR)/octavo $(LIBDIR) $(DOCDIR) $(MANDIR)/octavo.1.gz $(COMPDIR)/octavo
	$(FILES) uninstall

clean:
	rm -rf build build-san build-cover

-include $(shell find $(B) -type f -name '*.d' 2>/dev/null)

.PHONY: analyze tidy kills disks cover deb tarball all tests helpers benches sanitized next fixed unit test damage mutants hosts style check bench judge-conversations compare links install uninstall clean
.SECONDARY:

# Fuzzers need clang and its runtime (libclang-rt-14-dev); FUZZ_SECONDS each.
FUZZ_SECONDS ?= 600
# NAME=SOURCE:MODE; seeds are in tests/fuzz/seeds/NAME.
FUZZ := markdown=markdown:1 summary=layout:1 front=layout:2 config=layout:3 request=http:1 body=http:2 page=http:3 query=http:4 \
	search=http:5 hook=http:6 mcp=http:7 archive=archive:1 message=archive:2 expr=expr:1 pdf=pdf:1 document=document:1 yaml=parsers:1 json=parsers:2 html=parsers:3 address=parsers:4 \
	image=parsers:5 merge=merge:1 objects=merge:2 order=merge:3 openapi=openapi:1 js=arrive:1 csv=arrive:2 source=arrive:3 token=signin:1 saml=signin:2
FUZZERS    := $(foreach f,$(FUZZ),$(firstword $(subst =, ,$(f))))
fuzz_part   = $(word $(2),$(subst :, ,$(patsubst $(1)=%,%,$(filter $(1)=%,$(FUZZ)))))
FUZZ_FILES := $(wildcard tests/fuzz/*.[ch]) cgi/unpack.c tests/memory_io.h tests/temp_dir.h tests/unit/arrive_fixture.h
# The libraries that a target needs, of those that any needs.
fuzz_link   = -DMODE=$(call fuzz_part,$(1),2) -o $@ tests/fuzz/fuzz_$(call fuzz_part,$(1),1).c $(2) $(3)/libapi.a $(3)/libjobs.a \
	$(3)/libcore.a -Wl,--as-needed $(LIBS_PDF) -larchive $(LIBS_JOBS) $(LIBS_CORE) -lcmocka

fuzzers:
	$(MAKE) -s B=build-fuzz CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
		LDFLAGS=-fsanitize=fuzzer-no-link,address,undefined build-fuzz/libcore.a build-fuzz/libapi.a build-fuzz/libjobs.a
	@for name in $(FUZZERS); do $(MAKE) -s build-fuzz/fuzz_$$name || exit 1; done

build-fuzz/fuzz_%: build-fuzz/libapi.a build-fuzz/libjobs.a build-fuzz/libcore.a $(FUZZ_FILES)
	clang -Iinclude -D_GNU_SOURCE $(WARN) -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		$(call fuzz_link,$*,,build-fuzz)

# For the checks: tests/fuzz/play.c instead of libFuzzer, with the sanitized libraries.
players:
	@$(MAKE) -s SAN=1 $(addprefix build-san/play_,$(FUZZERS))
$(B)/play_%: $(B)/libapi.a $(B)/libjobs.a $(B)/libcore.a $(FUZZ_FILES)
	$(CC) $(CPPFLAGS) $(WARN) $(CFLAGS) $(LDFLAGS) $(call fuzz_link,$*,tests/fuzz/play.c,$(B))

# 50,000 mixed requests: memory and descriptors do not grow.
soak:
	@sh tools/deps.sh bench
	$(MAKE) -s all tests
	OCTAVO_BUILD=$(B) sh tests/soak.sh

# Two browsers write one page over a network that fails: no saved letter is lost.
sessions:
	@sh tools/deps.sh test
	$(MAKE) -s all
	OCTAVO_BUILD=$(B) MINUTES=$(MINUTES) SEED=$(SEED) sh tests/browser/sessions.sh

# Random histories of merges and imports: some in every run of the tests, so many here.
FUZZ_SEEDS ?= 2000
HISTORIES  := $(addprefix $(B)/tests/test_,request order upstream merge_text)

fuzz: fuzzers $(HISTORIES)
	OCTAVO_SEEDS=$(FUZZ_SEEDS) sh tests/unit/run.sh $(HISTORIES)
	OCTAVO_SEED=$${OCTAVO_SEED:-$$(date +%s)} sh tests/fuzz/run.sh $(FUZZ_SECONDS)

.PHONY: fuzzers players fuzz soak sessions
