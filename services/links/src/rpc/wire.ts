/** A view as it is: protobuf takes null for absent, which its types do not say. */
export const toWire = <V>(view: V) => view as { [F in keyof V]: NonNullable<V[F]> };
