import { Center, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ColourSwitch, LanguageSwitch } from '../../frame/look-switches.tsx'

/** The pages before a workspace. */
export function Door({ children }: { children: ReactNode }) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="md">
        <Group justify="space-between">
          <Group gap="xs">
            <img src="/icon.svg" width={32} height={32} alt="" />
            <Text fw={650}>ContentFlow</Text>
          </Group>
          <Group gap={4}>
            <LanguageSwitch />
            <ColourSwitch />
          </Group>
        </Group>
        {children}
      </Stack>
    </Center>
  )
}
