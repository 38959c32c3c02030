import { createContext, useContext, useMemo, useState, type ReactNode } from 'react'
import { remember, rememberedBag, type BagLine } from './remembered.ts'

export type Bag = {
  lines: readonly BagLine[]
  count: number
  add: (instanceId: string) => void
  remove: (instanceId: string) => void
  clear: () => void
}

const BagContext = createContext<Bag | undefined>(undefined)

export function BagProvider({ children }: { children: ReactNode }) {
  const [lines, setLines] = useState<readonly BagLine[]>(rememberedBag)
  const bag = useMemo(() => {
    const keep = (next: readonly BagLine[]) => {
      setLines(next)
      remember('bag', next)
    }
    return {
      lines,
      count: lines.reduce((sum, { count }) => sum + count, 0),
      add: (instanceId: string) => keep(addedTo(lines, instanceId)),
      remove: (instanceId: string) => keep(lines.filter((line) => line.instanceId !== instanceId)),
      clear: () => keep([]),
    }
  }, [lines])
  return <BagContext value={bag}>{children}</BagContext>
}

function addedTo(lines: readonly BagLine[], instanceId: string): readonly BagLine[] {
  if (!lines.some((line) => line.instanceId === instanceId)) return [...lines, { instanceId, count: 1 }]
  return lines.map((line) => (line.instanceId === instanceId ? { ...line, count: line.count + 1 } : line))
}

export function useBag(): Bag {
  const bag = useContext(BagContext)
  if (!bag) throw new Error('useBag needs a BagProvider')
  return bag
}
