import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

/** Texts about the conflict: what happened, what can be done, and the two choices. */
export type ConflictWords = { title: string; text: string; mine: string; theirs: string }

type SavedByOthersProps = {
  words: ConflictWords
  onMine: () => void
  onTheirs: () => void
}

/** Saving over the other version takes a deliberate choice. */
export function SavedByOthers({ words, onMine, onTheirs }: SavedByOthersProps) {
  return (
    <Alert color="yellow" role="alert" icon={<IconAlertTriangle aria-hidden />} title={words.title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.text}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onMine}>
            {words.mine}
          </Button>
          <Button size="xs" onClick={onTheirs}>
            {words.theirs}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
