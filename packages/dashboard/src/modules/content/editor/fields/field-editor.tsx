import { Select, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { isFieldType, textLength, type Json } from '@contentflow/core/blocks/field.ts'
import { useFormat } from '../../../../format.ts'
import { CollectionEditor } from './collection-editor.tsx'
import { useEditor } from '../editor-context.tsx'
import type { FieldEditorProps } from './field-editor-props.ts'
import { choicesOf } from './field-label.ts'
import { ImageEditor } from './image-editor.tsx'
import { LinkEditor } from './link-editor.tsx'
import { useDirections } from './locale-names.ts'
import { useTexts } from '../texts.ts'
import { NumberField } from '../../../../ui/fields/number-field.tsx'

/** The control that fits the type of a field. */
export function FieldEditor(props: FieldEditorProps) {
  const { type } = props.field
  if (!isFieldType(type)) return <UnknownEditor {...props} />
  switch (type) {
    case 'text':
    case 'textarea':
      return <TextEditor {...props} />
    case 'number':
      return <NumberEditor {...props} />
    case 'select':
      return <ChoiceEditor {...props} />
    case 'toggle':
      return <ToggleEditor {...props} />
    case 'url':
      return <LinkEditor {...props} />
    case 'image':
      return <ImageEditor {...props} />
    case 'collection':
      return <CollectionEditor {...props} />
    default:
      return type satisfies never
  }
}

/** Grows with what is in it, so that in a narrow column too the whole text is seen. */
function TextEditor({ field, label, locale, value, hint, error, onChange }: FieldEditorProps) {
  const { isReadOnly } = useEditor()
  const direction = useDirections()(locale)
  const text = asText(value)
  const isOneLine = field.type === 'text'
  return (
    <Textarea
      aria-label={label}
      value={text}
      placeholder={asText(hint)}
      error={error}
      readOnly={isReadOnly}
      {...direction}
      inputWrapperOrder={['input', 'error', 'description']}
      description={field.maxLength === undefined ? undefined : <Counter length={textLength(text)} max={field.maxLength} />}
      autosize
      minRows={isOneLine ? 1 : 2}
      maxRows={10}
      onKeyDown={(event) => {
        if (isOneLine && event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault()
      }}
      onChange={({ currentTarget }) => onChange(isOneLine ? currentTarget.value.replaceAll(/[\r\n]+/g, ' ') : currentTarget.value)}
    />
  )
}

/** Code points used of those that fit, as the server counts them. */
function Counter({ length, max }: { length: number; max: number }) {
  const format = useFormat()
  return (
    <Text span size="xs" c={length > max ? 'red' : 'dimmed'} dir="ltr" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {format.number(length)} / {format.number(max)}
    </Text>
  )
}

function NumberEditor({ label, value, hint, error, onChange }: FieldEditorProps) {
  const { isReadOnly } = useEditor()
  return (
    <NumberField
      aria-label={label}
      value={typeof value === 'number' ? value : undefined}
      placeholder={typeof hint === 'number' ? String(hint) : ''}
      error={error}
      readOnly={isReadOnly}
      onChange={onChange}
      maw={220}
    />
  )
}

function ChoiceEditor({ field, label, value, hint, error, onChange }: FieldEditorProps) {
  const { isReadOnly } = useEditor()
  const choices = choicesOf(field)
  const nameOf = (json: Json | undefined) => choices.find((choice) => choice.json === json)
  return (
    <Select
      aria-label={label}
      data={choices.map((choice) => ({ value: choice.value, label: choice.label }))}
      value={nameOf(value)?.value ?? null}
      placeholder={nameOf(hint)?.label}
      error={error}
      readOnly={isReadOnly}
      clearable={!field.required && !isReadOnly}
      searchable={choices.length > 8}
      onChange={(chosen) => onChange(choices.find((choice) => choice.value === chosen)?.json)}
      maw={320}
    />
  )
}

function ToggleEditor({ label, value, onChange }: FieldEditorProps) {
  const t = useTexts()
  const { isReadOnly } = useEditor()
  const isOn = value === true
  return (
    <Switch
      aria-label={label}
      checked={isOn}
      label={isOn ? t('on') : t('off')}
      disabled={isReadOnly}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      mih={36}
      styles={{ body: { alignItems: 'center', minHeight: 36 } }}
    />
  )
}

/** A field type of a pipeline that the dashboard does not know: kept, shown, and only texts can be changed. */
function UnknownEditor({ field, label, value, error, onChange }: FieldEditorProps) {
  const t = useTexts()
  const { isReadOnly } = useEditor()
  const isText = value === undefined || typeof value === 'string'
  return (
    <TextInput
      aria-label={label}
      value={isText ? asText(value) : JSON.stringify(value)}
      readOnly={isReadOnly || !isText}
      description={t('unknownType', { type: field.type })}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
