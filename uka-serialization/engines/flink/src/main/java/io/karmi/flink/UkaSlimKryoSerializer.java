package io.karmi.flink;

/**
 * UKA below Flink's serializer of generic types, with short records. One line of configuration puts
 * it there for all serializable classes:
 *
 * <pre>{@code
 * pipeline.serialization-config: [java.io.Serializable:
 *     {type: kryo, kryo-type: default, class: io.karmi.flink.UkaSlimKryoSerializer}]
 * }</pre>
 *
 * <p>A record has a fingerprint of its class and of those that the declared types of its fields
 * lead to. Another version of one of them is told by it, and the record is refused with an {@link
 * java.io.InvalidClassException}; Flink's own Kryo does not notice. For state whose classes will
 * change take {@link UkaKryoSerializer} or {@link UkaTypeInfoFactory}. This serializer and {@link
 * UkaKryoSerializer} read each other's records.
 */
public final class UkaSlimKryoSerializer extends KryoRecords {
  private static final long serialVersionUID = 1;

  /** Made by Flink. */
  public UkaSlimKryoSerializer() {
    super();
  }

  @Override
  boolean isSlim() {
    return true;
  }
}
