/** `npm run db:types`: writes the types of the tables as the migrations make them. Needs PostgreSQL's programs. */
import { writeFileSync } from 'node:fs'
import { startCluster } from './postgres'
import { tableTypes, tableTypesFile } from './table-types'

startCluster().then(async (cluster) => {
  try {
    writeFileSync(tableTypesFile, await tableTypes(await cluster.createDatabase('types')))
  } finally {
    cluster.stop()
  }
})
