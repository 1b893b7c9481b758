#!/bin/sh
# Backs up what cannot be made again: the database and users' pictures (docs/deployment.md, "Backup and restore").
#   DATABASE_URL   PostgreSQL to dump
#   BACKUP_DIR     folder that gets one folder per backup
#   DATA_DIR       pictures in DATA_DIR/uploads are copied when they are not in S3 (no S3_ENDPOINT)
#   MC_SOURCE      alias/bucket of the MinIO client `mc`: its pictures are mirrored when they are in S3; with MC_HOST_alias
#                  as the alias's address, https://KEY:SECRET@HOST
#   KEEP           backups to keep (default 14)
# Pictures come second: a picture newer than the dump is one too many, one older would be missing.
set -eu
umask 077
: "${DATABASE_URL:?the PostgreSQL to back up}" "${BACKUP_DIR:?folder for backups}"
[ -z "${S3_ENDPOINT:-}" ] || : "${MC_SOURCE:?alias/bucket of the pictures, for mc}"
stamp=$(date -u +%Y%m%dT%H%M%SZ)
part=$(realpath -m "$BACKUP_DIR")/.part-$stamp
mkdir -p "$part"
trap 'rm -rf "$part" "$part.sums" "$part.mc"' EXIT

pg_dump --format=custom --no-owner --file="$part/database.dump" "$DATABASE_URL"
# a dump that cannot be listed cannot be restored
pg_restore --list "$part/database.dump" >/dev/null

mkdir "$part/uploads"
if [ -n "${S3_ENDPOINT:-}" ]; then
  # a system user has no home for it
  export MC_CONFIG_DIR="$part.mc"
  mc mirror --quiet "$MC_SOURCE" "$part/uploads"
else
  uploads="${DATA_DIR:-./data}/uploads"
  # every server makes it when it starts: without it the pictures are elsewhere
  [ -d "$uploads" ] || { echo "no pictures at $uploads: set DATA_DIR to that of the servers, or S3_ENDPOINT" >&2; exit 1; }
  cp -a "$uploads/." "$part/uploads/"
fi
(cd "$part" && find . -type f -exec sha256sum {} + >"$part.sums")
mv "$part.sums" "$part/SHA256SUMS"
sync
mv "$part" "$BACKUP_DIR/$stamp"

# the newest stay
find "$BACKUP_DIR" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*Z' | sort -r | tail -n "+$((${KEEP:-14} + 1))" |
  while read -r old; do rm -rf "$old"; done
echo "$BACKUP_DIR/$stamp"
