/** Casts a view for a response: protobuf accepts null for absent fields, but its generated types do not. */
export const toWire = <V>(view: V) => view as { [F in keyof V]: NonNullable<V[F]> };
