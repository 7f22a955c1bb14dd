/** Works under names: those of one name are done one after the other, and only so many of them may be waiting. */
export interface Lanes {
  /** Null when too many wait under this name already. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> | null
}

export function createLanes(waitingMost: number): Lanes {
  const lanes = new Map<string, { count: number; last: Promise<unknown> }>()
  return {
    run(name, work) {
      const lane = lanes.get(name) ?? { count: 0, last: Promise.resolve() }
      if (lane.count > waitingMost) return null
      lane.count += 1
      lanes.set(name, lane)
      const done = lane.last
        .catch(() => {})
        .then(work)
        .finally(() => {
          lane.count -= 1
          if (lane.count === 0) lanes.delete(name)
        })
      lane.last = done
      return done
    },
  }
}
