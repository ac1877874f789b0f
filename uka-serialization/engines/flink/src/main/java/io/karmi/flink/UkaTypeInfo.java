package io.karmi.flink;

import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Flink's type information for a class whose objects {@link UkaTypeSerializer} writes. */
public final class UkaTypeInfo<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1;

  private final Class<T> type;

  /** The information on a class. */
  public UkaTypeInfo(Class<T> type) {
    this.type = type;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new UkaTypeSerializer<>(type);
  }

  /** Objects are keys if their class says what their hash is. */
  @Override
  public boolean isKeyType() {
    try {
      return type.getMethod("hashCode").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public String toString() {
    return "Uka<" + type.getName() + ">";
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof UkaTypeInfo;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UkaTypeInfo && ((UkaTypeInfo<?>) other).type == type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }
}
