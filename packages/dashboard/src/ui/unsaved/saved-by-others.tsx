import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

type SavedByOthersProps = {
  /** Of what is edited: what happened, what can be done, and the two ways. */
  words: { title: string; text: string; mine: string; theirs: string }
  onMine: () => void
  onTheirs: () => void
}

/** Whoever saves over the other does so on purpose. */
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
