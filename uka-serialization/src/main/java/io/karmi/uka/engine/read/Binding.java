package io.karmi.uka.engine.read;

import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/** Java's rules for two versions of one class: the stream's and the local one. */
public final class Binding {
  private Binding() {}

  /**
   * Checks whether the description can be bound to the class at all.
   *
   * @return the error that objects of the class will meet, or null
   * @throws InvalidClassException if it cannot
   */
  public static @Nullable InvalidClassException check(
      ClassDescription description, LocalClass local) throws InvalidClassException {
    if (description.fields.length > 0 && description == local.description() && !local.isProxy) {
      return null;
    }
    if (local.isProxy) {
      throw new InvalidClassException("cannot bind non-proxy descriptor to a proxy class");
    }
    if (description.isEnum() != local.isEnum) {
      throw new InvalidClassException(
          description.isEnum()
              ? "cannot bind enum descriptor to a non-enum class"
              : "cannot bind non-enum descriptor to an enum class");
    }
    boolean sameSerializable = description.isSerializable() == local.isSerializable;
    if (sameSerializable && !local.isArray && !local.isRecord) {
      checkUid(description, local);
    }
    if (!description.name.equals(local.name)
        && !simpleName(description.name).equals(simpleName(local.name))) {
      throw new InvalidClassException(
          local.name,
          "local class name incompatible with stream class name \"" + description.name + "\"");
    }
    checkFields(description, local);
    if (description.isEnum()) {
      return null;
    }
    boolean sameExternalizable = description.isExternalizable() == local.isExternalizable;
    if (sameSerializable && !sameExternalizable) {
      throw new InvalidClassException(local.name, "Serializable incompatible with Externalizable");
    }
    boolean valid = sameSerializable && sameExternalizable && description.isSerializable();
    return valid
        ? null
        : new InvalidClassException(local.name, "class invalid for deserialization");
  }

  private static void checkUid(ClassDescription description, LocalClass local)
      throws InvalidClassException {
    long localUid = local.streamClass().getSerialVersionUID();
    if (description.serialVersionUid != localUid) {
      throw new InvalidClassException(
          local.name,
          "local class incompatible: stream classdesc serialVersionUID = "
              + description.serialVersionUid
              + ", local class serialVersionUID = "
              + localUid);
    }
  }

  private static String simpleName(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static void checkFields(ClassDescription description, LocalClass local)
      throws InvalidClassException {
    if (description.fields.length == 0) {
      /* The description of a local array class would initialize the class of its elements. */
      return;
    }
    FieldDescription[] localFields = local.description().fields;
    for (FieldDescription field : description.fields) {
      for (FieldDescription localField : localFields) {
        if (field.name().equals(localField.name())
            && (field.isPrimitive() || localField.isPrimitive())
            && field.code() != localField.code()) {
          throw new InvalidClassException(
              local.name, "incompatible types for field " + field.name());
        }
      }
    }
  }

  /** For each field of the description the index of the local field of its name, or -1. */
  public static int[] match(ClassDescription description, @Nullable LocalClass local) {
    FieldDescription[] localFields =
        local == null ? new FieldDescription[0] : local.description().fields;
    int[] matches = new int[description.fields.length];
    for (int i = 0; i < matches.length; i++) {
      matches[i] = -1;
      for (int j = 0; j < localFields.length; j++) {
        if (description.fields[i].name().equals(localFields[j].name())) {
          matches[i] = j;
        }
      }
    }
    return matches;
  }

  /** The local field behind each field of the description, or null. */
  public static @Nullable Field[] fields(int[] matches, @Nullable LocalClass local) {
    @Nullable Field[] fields = new @Nullable Field[matches.length];
    for (int i = 0; i < matches.length; i++) {
      fields[i] = local == null || matches[i] < 0 ? null : local.fields()[matches[i]];
    }
    return fields;
  }

  /** For each field of the description, whether the local field is declared to be unshared. */
  public static boolean[] unshared(int[] matches, @Nullable LocalClass local) {
    boolean[] unshared = new boolean[matches.length];
    for (int i = 0; i < matches.length; i++) {
      unshared[i] = local != null && matches[i] >= 0 && local.isUnshared(matches[i]);
    }
    return unshared;
  }
}
