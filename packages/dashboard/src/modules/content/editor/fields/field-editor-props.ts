import type { Field, Json } from '@contentflow/core/blocks/field.ts'

/** The props of every control of a field. */
export type FieldEditorProps = {
  field: Field
  /** The field and its language. */
  label: string
  locale: string | null
  value: Json | undefined
  /** Shown while the field is empty. */
  hint: Json | undefined
  error: string | undefined
  onChange: (value: Json | undefined) => void
}
