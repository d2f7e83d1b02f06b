# Members of a customization: the paths below a schema, each list as PATH[].
# Colours, addresses for two themes, references and fonts are one value.
def single: IN("CustomizationThemedColor", "CustomizationThemedURL", "CustomizationThemedCodeTheme", "ContentRef", "CustomizationFontDefinition");
def members($all; $path):
	if .["$ref"] then (.["$ref"] | split("/") | last) as $name
		| if ($name | single) then $path else ($all[$name] | members($all; $path)) end
	elif .allOf then (.allOf[0] | members($all; $path))
	elif .oneOf or .anyOf then $path
	elif .properties then .properties | to_entries[] | .key as $key | .value | members($all; if $path == "" then $key else "\($path).\($key)" end)
	elif .items then (.items | members($all; "\($path)[]"))
	else $path end;
.components.schemas as $all | [$all.SiteCustomizationSettings | members($all; "")] | unique[]
