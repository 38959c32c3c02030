import { Box, Group, Text } from '@mantine/core'
import type { Status } from './api.ts'
import { useTexts } from './texts.ts'
import classes from './strings.module.css'

/** The status of a translation: a dot and the word for it. */
export function StatusMark({ status, drafted }: { status: Status; drafted?: boolean }) {
  const t = useTexts()
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <Box component="span" className={classes.dot} data-status={status} aria-hidden />
      <Text span size="xs" c="dimmed">
        {t(drafted ? 'drafted' : status)}
      </Text>
    </Group>
  )
}
