/**
 * `npm run db:seed`: creates the database if there is none, and adds the shipped games that it lacks, with generated sales and
 * models. A server does the same when it starts; `npm start` lets this run while it builds.
 */
import { seed } from '../fixtures/seed'
import { print } from './command'
import { runTool } from './tool'

runTool((db) => seed(db, { now: Date.now(), print }))
