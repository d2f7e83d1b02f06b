# Signing in at an OpenID provider, in an installation that has none; with one: tests/oidc.
t 'no sign-in begins at a provider that is not there' POST /v1/sign-in/provider - '' 409 '.error.message | test("no provider")'
pv_return='"flow":"eHk","state":"s","code":"c"'
t 'no sign-in ends at a provider that is not there' POST /v1/sign-in/provider/return - "{$pv_return}" 409 '.error.message | test("no provider")'
t 'a return without its flow is refused' POST /v1/sign-in/provider/return - '{"state":"s","code":"c"}' 400 '.fields[0].path == "/flow"'
t 'a return with more than the provider sends is refused' POST /v1/sign-in/provider/return - "{$pv_return,\"email\":\"a@b.example\"}" 400 \
	'.fields[0].path == "/email"'
