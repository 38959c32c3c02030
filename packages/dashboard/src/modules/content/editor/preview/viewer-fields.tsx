import { Group, Select } from '@mantine/core'
import { useState } from 'react'
import type { Person } from '@contentflow/server/wire.ts'
import { ApiError, call } from '../../../../api.ts'
import { useSession } from '../../../../session.tsx'
import { PersonPicker } from '../../../../ui/fields/person-picker.tsx'
import type { Environment } from '../api.ts'
import { useTexts } from '../texts.ts'

type Props = {
  deviceId: string
  onDeviceId: (deviceId: string) => void
  environment: Environment
  onEnvironment: (environment: Environment) => void
}

/** Chooses the viewer: a new visitor, or a person on the device they used last. */
export function ViewerFields({ deviceId, onDeviceId, environment, onEnvironment }: Props) {
  const t = useTexts()
  const { workspace } = useSession()
  const [wantsDevice, setWantsDevice] = useState(deviceId !== '')
  const isDevice = wantsDevice || deviceId !== ''
  return (
    <Group gap="xs">
      <Select
        aria-label={t('viewedBy')}
        data={[
          { value: 'new', label: t('newVisitor') },
          { value: 'device', label: t('oneDevice') },
        ]}
        value={isDevice ? 'device' : 'new'}
        onChange={(value) => {
          setWantsDevice(value === 'device')
          if (value === 'new') onDeviceId('')
        }}
        allowDeselect={false}
        flex="1 1 150px"
      />
      <Select
        aria-label={t('environment')}
        data={[
          { value: 'live', label: t('liveApp') },
          { value: 'test', label: t('testApp') },
        ]}
        value={environment}
        onChange={(value) => onEnvironment(value === 'test' ? 'test' : 'live')}
        allowDeselect={false}
        flex="1 1 130px"
      />
      {isDevice && (
        <PersonPicker
          value={deviceId}
          onChange={(id) => void findDevice(workspace.id, id, environment).then(onDeviceId)}
          environment={environment}
          label={t('deviceId')}
        />
      )}
    </Group>
  )
}

/** Content is delivered to devices. An id that is no person's is taken for a device's; the answer then says what is known of it. */
async function findDevice(workspaceId: string, id: string, environment: Environment): Promise<string> {
  if (id === '') return ''
  try {
    const { data } = await call<Person>(`/users/${encodeURIComponent(id)}`, { workspaceId, query: { environment } })
    return data.devices[0]?.deviceId ?? data.deviceId ?? id
  } catch (error) {
    if (error instanceof ApiError) return id
    throw error
  }
}
