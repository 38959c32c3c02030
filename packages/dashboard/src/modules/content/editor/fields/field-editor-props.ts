import type { Field, Json } from '@contentflow/core/blocks/field.ts'

/** What every control of a field gets. */
export type FieldEditorProps = {
  field: Field
  /** The field and its language. */
  label: string
  locale: string | null
  value: Json | undefined
  /** What shows while this is empty. */
  hint: Json | undefined
  error: string | undefined
  onChange: (value: Json | undefined) => void
}
