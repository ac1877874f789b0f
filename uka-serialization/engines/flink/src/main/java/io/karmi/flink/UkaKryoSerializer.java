package io.karmi.flink;

/**
 * UKA below Flink's serializer of generic types. One line of configuration puts it there for all
 * serializable classes:
 *
 * <pre>{@code
 * pipeline.serialization-config: [java.io.Serializable:
 *     {type: kryo, kryo-type: default, class: io.karmi.flink.UkaKryoSerializer}]
 * }</pre>
 *
 * <p>Objects are written with the semantics of {@code java.io}. A record describes its classes, so
 * that a class may change between a savepoint and its restoration: of such a serializer Flink keeps
 * nothing but the name. Where that costs too many bytes, {@link UkaSlimKryoSerializer} is the same
 * line for classes that do not change, and {@link UkaTypeInfoFactory} puts the descriptions of a
 * class into the snapshot. Flink uses each instance in one thread at a time.
 */
public final class UkaKryoSerializer extends KryoRecords {
  private static final long serialVersionUID = 1;

  /** Made by Flink. */
  public UkaKryoSerializer() {
    super();
  }

  @Override
  boolean isSlim() {
    return false;
  }
}
