import { Group, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Environment } from '../api.ts'
import { useTexts } from '../texts.ts'

type Props = {
  deviceId: string
  onDeviceId: (deviceId: string) => void
  environment: Environment
  onEnvironment: (environment: Environment) => void
}

/** Whose eyes to look with: a new visitor, or one device by its id. */
export function ViewerFields({ deviceId, onDeviceId, environment, onEnvironment }: Props) {
  const t = useTexts()
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
        <TextInput
          aria-label={t('deviceId')}
          placeholder={t('deviceId')}
          value={deviceId}
          onChange={({ currentTarget }) => onDeviceId(currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          classNames={{ input: 'cf-code' }}
          flex="1 1 100%"
        />
      )}
    </Group>
  )
}
