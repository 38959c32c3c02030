import { Alert, Anchor, Button, Group, List, Stack, Text, TextInput } from '@mantine/core'
import { IconUsersPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { LIMITS } from '@contentflow/core/limits.ts'
import { useFormat } from '../../../format.ts'
import { personPath } from '../../../person-path.ts'
import { useSession } from '../../../session.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Environment } from '../../../ui/environment.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { useFunnelPeople, useMakeSegment, type Funnel, type PeopleOfStep } from '../api.ts'
import { useTexts } from '../texts.ts'

type PeopleProps = { definition: Funnel; people: PeopleOfStep; environment: Environment }

/** Who took a step of a funnel, or went no further, and a segment of them. */
export function PeopleDialog({ onClose, ...of }: PeopleProps & { onClose: () => void }) {
  const t = useTexts()
  const { step: number, dropped } = of.people
  return (
    <Dialog opened onClose={onClose} title={dropped ? t('whoDroppedAfter', { number }) : t('whoTook', { number })}>
      <People {...of} />
    </Dialog>
  )
}

function People({ definition, people: asked, environment }: PeopleProps) {
  const t = useTexts()
  const format = useFormat()
  const { workspace, mayEdit } = useSession()
  const found = useFunnelPeople(definition, { ...asked, environment })
  return (
    <Loaded read={found} height={120}>
      {({ people, total }) =>
        people.length === 0 ? (
          <Text>{t('nobody')}</Text>
        ) : (
          <Stack>
            <Text size="sm" c="dimmed">
              {t('listedPeople', { shown: format.number(people.length), total: format.number(total) })}
            </Text>
            <List mah={300} style={{ overflowY: 'auto' }} tabIndex={0} aria-label={t('people')}>
              {people.map(({ userId, deviceId }, index) => (
                <List.Item key={index}>
                  {userId === null ? (
                    t('device', { id: deviceId ?? '–' })
                  ) : (
                    <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId })}`}>
                      <bdi>{userId}</bdi>
                    </Anchor>
                  )}
                </List.Item>
              ))}
            </List>
            {mayEdit && <MakeSegment definition={definition} people={asked} environment={environment} />}
          </Stack>
        )
      }
    </Loaded>
  )
}

/** Asks for a name, and says of the segment that was made whether others come into it by themselves. */
function MakeSegment({ definition, people, environment }: PeopleProps) {
  const t = useTexts()
  const format = useFormat()
  const { workspace } = useSession()
  const [name, setName] = useState('')
  const [isFaulty, setFaulty] = useState(false)
  const make = useMakeSegment(environment)
  const made = make.data
  if (made)
    return (
      <Alert color="teal" role="status" title={t('segmentMade')}>
        <Anchor component={Link} to={`/w/${workspace.id}/segments/${made.segmentId}`} inherit c="inherit" underline="always">
          <bdi>{made.name}</bdi>
        </Anchor>{' '}
        {made.way === 'rule'
          ? t('segmentByRule')
          : t('segmentByHand', { added: format.number(made.added ?? 0), total: format.number(made.total ?? 0) })}
      </Alert>
    )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setFaulty(name.trim() === '')
        if (name.trim() !== '') make.mutate({ ...definition, ...people, name: name.trim() })
      }}
    >
      <Stack gap="xs">
        <Group align="end" gap="xs" wrap="wrap">
          <TextInput
            label={t('segmentName')}
            value={name}
            onChange={({ currentTarget }) => (setName(currentTarget.value), setFaulty(false))}
            error={isFaulty ? t('nameNeeded') : undefined}
            maxLength={LIMITS.segmentNameLength}
            dir="auto"
            flex={1}
            miw={200}
          />
          <Button type="submit" variant="default" loading={make.isPending} leftSection={<IconUsersPlus size={16} aria-hidden />}>
            {t('makeSegment')}
          </Button>
        </Group>
        {make.error && <Failure error={make.error} />}
      </Stack>
    </form>
  )
}
