/** What the snippet takes from `@react-native-async-storage/async-storage`: every answer comes later. */
declare const kept: Map<string, string>

export default {
  getItem: async (key: string): Promise<string | null> => kept.get(key) ?? null,
  setItem: async (key: string, value: string): Promise<void> => void kept.set(key, value),
  removeItem: async (key: string): Promise<void> => void kept.delete(key),
}
