package io.karmi.flink;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * Maker of {@link UkaTypeInfo}, for {@code @TypeInfo(UkaTypeInfoFactory.class)} on a class, or
 * without a change of the program
 *
 * <pre>{@code
 * pipeline.serialization-config: [app.Order:
 *     {type: typeinfo, class: io.karmi.flink.UkaTypeInfoFactory}]
 * }</pre>
 */
public final class UkaTypeInfoFactory<T> extends TypeInfoFactory<T> {
  /** Made by Flink. */
  public UkaTypeInfoFactory() {}

  @Override
  @SuppressWarnings("unchecked")
  public TypeInformation<T> createTypeInfo(Type type, Map<String, TypeInformation<?>> parameters) {
    Type raw = type instanceof ParameterizedType ? ((ParameterizedType) type).getRawType() : type;
    if (!(raw instanceof Class) || !java.io.Serializable.class.isAssignableFrom((Class<?>) raw)) {
      throw new IllegalArgumentException(type.getTypeName() + " is no serializable class");
    }
    return new UkaTypeInfo<>((Class<T>) raw);
  }
}
