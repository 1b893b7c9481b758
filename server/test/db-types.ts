/** `npm run db:types`: writes the types of the tables as the migrations make them. */
import { writeFileSync } from 'node:fs'
import { tableTypes, tableTypesFile } from './table-types'

tableTypes().then((text) => writeFileSync(tableTypesFile, text))
