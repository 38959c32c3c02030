import { Anchor } from '@mantine/core'

/** The key of a string; a press opens it. */
export function KeyLink({ name, onOpen }: { name: string; onOpen: (key: string) => void }) {
  return (
    <Anchor component="button" size="sm" ta="start" className="cf-code" style={{ overflowWrap: 'anywhere' }} onClick={() => onOpen(name)}>
      {name}
    </Anchor>
  )
}
