import { Textarea, Title } from '@mantine/core'
import classes from './title-field.module.css'

type TitleFieldProps = {
  value: string
  onChange: (value: string) => void
  label: string
  /** Shown where there is no name yet. */
  untitled: string
  maxLength: number
  isReadOnly: boolean
}

/** A name that is the title of its page and is edited in place. It is one line that wraps. */
export function TitleField({ value, onChange, label, untitled, maxLength, isReadOnly }: TitleFieldProps) {
  const title = value.trim() || untitled
  if (isReadOnly)
    return (
      <Title order={1} dir="auto" className="cf-foreign" style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
    )
  return (
    <>
      <h1 className="cf-visually-hidden">{title}</h1>
      <Textarea
        aria-label={label}
        placeholder={untitled}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.replace(/\s*\n\s*/g, ' '))}
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        maxLength={maxLength}
        dir="auto"
        variant="unstyled"
        autosize
        minRows={1}
        flex={1}
        miw={0}
        classNames={{ input: `${classes.title} cf-foreign` }}
      />
    </>
  )
}
