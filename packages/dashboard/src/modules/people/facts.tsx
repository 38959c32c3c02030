import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

export type Fact = [name: string, value: ReactNode]

/** Names and values; side by side where there is room. */
export function Facts({ facts, isWide = false }: { facts: Fact[]; isWide?: boolean }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, ...(isWide && { md: 3 }) }} spacing="md" verticalSpacing="sm" m={0}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  )
}
