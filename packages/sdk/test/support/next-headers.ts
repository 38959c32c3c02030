/** What docs/app/next.md takes from `next/headers`. */
export const cookies = async (): Promise<{ get(name: string): { name: string; value: string } | undefined }> => ({ get: () => undefined })
