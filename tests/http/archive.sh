# The archive for shared hosts, of the programs in $OCTAVO_BUILD. Packing it takes as long as many
# tests: if it is in the build folder (make tarball) and no program is newer, that one is used.

# archive_make FILE
archive_make() {
	am_made=$OCTAVO_BUILD/octavo.tar.gz
	if [ -e "$am_made" ] && [ -z "$(find "$OCTAVO_BUILD" -maxdepth 1 -name 'octavo*' -newer "$am_made")" ]; then
		cp "$am_made" "$1"
	else
		sh tools/tarball.sh "$OCTAVO_BUILD" "$1"
	fi
}
