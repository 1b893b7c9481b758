#!/bin/sh
# Restores a backup of backup.sh into an EMPTY database and picture store, then checks it (docs/deployment.md).
#   restore.sh BACKUP_FOLDER
#   DATABASE_URL   an empty PostgreSQL database
#   DATA_DIR       pictures go to DATA_DIR/uploads when they do not belong in S3 (no S3_ENDPOINT)
#   MC_TARGET      alias/bucket of the MinIO client `mc`, when they do; with MC_HOST_alias as in backup.sh
set -eu
umask 077
from=${1:?folder of the backup}
: "${DATABASE_URL:?an empty PostgreSQL database}"
[ -z "${S3_ENDPOINT:-}" ] || : "${MC_TARGET:?alias/bucket for the pictures, for mc}"
(cd "$from" && sha256sum --check --quiet SHA256SUMS)

tables=$(psql --no-psqlrc --tuples-only --no-align --command="select count(*) from pg_tables where schemaname = 'public'" "$DATABASE_URL")
[ "$tables" = 0 ] || { echo "the database is not empty: restore into a new one" >&2; exit 1; }
pg_restore --exit-on-error --no-owner --single-transaction --dbname="$DATABASE_URL" "$from/database.dump"

if [ -n "${S3_ENDPOINT:-}" ]; then
  # a system user has no home for it
  MC_CONFIG_DIR=$(mktemp -d)
  export MC_CONFIG_DIR
  trap 'rm -rf "$MC_CONFIG_DIR"' EXIT
  mc mirror --quiet "$from/uploads" "$MC_TARGET"
else
  mkdir -p "${DATA_DIR:-./data}/uploads"
  cp -a "$from/uploads/." "${DATA_DIR:-./data}/uploads/"
fi
app=$(dirname "$0")/..
node "$app/dist/server/migrate.js"
node "$app/dist/server/books-check.js"
echo "restored: start the processes"
