import { Alert, Anchor, List, Stack, Text } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { PLACEHOLDER_DEVICES_COUNTED } from '@contentflow/core/identity/placeholder-ids.ts'
import type { Placeholders } from '@contentflow/server/wire.ts'
import { Link } from 'react-router'
import { useFormat } from '../../../format.ts'
import { personPath } from '../../../person-path.ts'
import { useSession } from '../../../session.tsx'
import { environmentQuery, type Environment } from '../../../ui/environment.tsx'
import { usePlaceholderTexts } from './texts.ts'

type Told = { placeholders: Placeholders; environment: Environment | undefined }

/** The ids, with their devices, and the way to refuse them. */
export function PlaceholderList({ placeholders: { ids, refused }, environment }: Told) {
  const t = usePlaceholderTexts()
  const format = useFormat()
  const { workspace, mayAdmin } = useSession()
  const query = environment ? environmentQuery(environment) : ''
  return (
    <Alert color="orange" icon={<IconUsersGroup aria-hidden />} title={t('title')}>
      <Stack gap="xs">
        <Text size="sm">{t('text')}</Text>
        <List size="sm">
          {ids.map(({ userId, devices }) => (
            <List.Item key={userId}>
              <Anchor component={Link} to={`/w/${workspace.id}${personPath({ userId })}${query}`} c="inherit" underline="always" size="sm">
                <bdi className="cf-code">{userId.trim() === '' ? t('blank') : userId}</bdi>
              </Anchor>{' '}
              ({t(devices >= PLACEHOLDER_DEVICES_COUNTED ? 'most' : 'devices', { count: devices, formatted: format.number(devices) })})
            </List.Item>
          ))}
        </List>
        {refused && <Text size="sm">{t('refused')}</Text>}
        {!refused && mayAdmin && (
          <Anchor component={Link} to={`/w/${workspace.id}/settings/protection`} c="inherit" underline="always" size="sm">
            {t('refuse')}
          </Anchor>
        )}
      </Stack>
    </Alert>
  )
}
