/**
 * A game is defined by a form config: fields, groups, rules and the role of each field in the price. Form, validation on
 * both sides, valuation engine and import tools all use it; its parts are described in `schemas/form.ts`.
 */
import type { Static } from 'typebox'
import type { CrossCheckSchema, FieldSchema, FormConfigSchema, fieldRoles, fieldTypes } from '../schemas/form'

export type { Answer, Answers, GradedTag, Option, RosterRow } from './values'

export type FormConfig = Static<typeof FormConfigSchema>
export type Field = Static<typeof FieldSchema>
export type FieldType = (typeof fieldTypes)[number]
export type FieldRole = (typeof fieldRoles)[number]
export type AiMode = FormConfig['aiMode']
export type Mode = FormConfig['modes'][number]
export type FieldGroup = FormConfig['groups'][number]
export type CrossCheck = Static<typeof CrossCheckSchema>
/** A game's terms for the parts of a roster row. */
export type RosterWords = NonNullable<NonNullable<Field['roster']>['words']>
