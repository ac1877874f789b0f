package io.karmi.uka.engine.write;

import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.Token;
import io.karmi.uka.handle.HandleTable;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import io.karmi.uka.type.Fingerprint;
import io.karmi.uka.type.LocalClass;
import io.karmi.uka.type.StreamClasses;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writer of types, with the table of their numbers (paper 3.2, 3.3).
 *
 * <p>A class is described the first time, in full, so that the reader may have another version of
 * it; then its number is written. In formats that number types together with objects the table is
 * that of the objects.
 */
public final class TypeWriter {
  private final WriteContext writer;

  /** Numbers of {@link LocalClass} objects, and of descriptors that are not local. */
  private final HandleTable numbers;

  /** Type numbers that are followed by those of the same class with narrow numbers. */
  private @Nullable BitSet narrow;

  private final boolean shared;

  /** Whether descriptions are written at once, as no program sees their parts. */
  private final boolean whole;

  private int numbersBeforeMessage;

  /** The bits of all classes that have numbers, and perhaps others. */
  private long numbered;

  /** Whether classes are named, not described. */
  private final boolean slim;

  /**
   * Whether classes may be described by a number: the program does not override their description.
   */
  private final boolean abbreviates;

  /** Whether the program adds data of its own to the description of each class. */
  private final boolean annotates;

  /**
   * @param slim whether classes are named, not described, if the format can do that
   */
  TypeWriter(WriteContext writer, HandleTable handles, boolean slim) {
    this.writer = writer;
    FormatWriter format = writer.format;
    this.slim = slim && format.hasSlimTypes();
    abbreviates = !writer.hooks.overridesWriteClassDescriptor();
    annotates = writer.hooks.overridesAnnotate();
    if (!abbreviates) {
      format.nameKinds();
    }
    shared = format.numbersTypesAsObjects();
    whole = shared && abbreviates && !annotates && !writer.hooks.overridesCalls();
    numbers = shared ? handles : new HandleTable();
  }

  public void clear() {
    numbers.clear();
    numbered = 0;
    narrow = null;
    numbersBeforeMessage = 0;
  }

  /** Whether the reader knows no types, nor objects where they are numbered together. */
  boolean isEmpty() {
    return numbers.size() == 0;
  }

  /** The number of a type; -1 if the reader does not know it. */
  int find(LocalClass type) {
    return (numbered & type.bit) == 0 ? -1 : numbers.find(type);
  }

  /** Whether the next two numbers are those of the class with narrow numbers. */
  boolean isNarrow(int number) {
    return narrow != null && narrow.get(number);
  }

  public void beginMessage() {
    numbersBeforeMessage = numbers.size();
  }

  public void discardMessage() {
    numbers.truncate(numbersBeforeMessage);
    if (narrow != null) {
      narrow.clear(numbersBeforeMessage, Math.max(numbersBeforeMessage, narrow.length()));
    }
  }

  /** Writes a token and the type that follows it. */
  public void open(int token, LocalClass type) throws IOException {
    int number = find(type);
    if (number >= 0) {
      writer.format.writeOpening(token, number);
    } else if (whole && isOrdinary(type)) {
      describeWhole(token, type);
    } else {
      int kind = newType(type);
      boolean narrows = token == Token.OBJECT && kind == FormatWriter.NEW_TYPE && narrows(type);
      writer.format.writeOpening(token, narrows ? FormatWriter.NEW_NARROW : kind);
      describe(type, false, narrows);
    }
  }

  private boolean isOrdinary(LocalClass type) {
    return !type.isProxy && writer.protocol() != ObjectStreamConstants.PROTOCOL_VERSION_1;
  }

  private void describeWhole(int token, LocalClass type) throws IOException {
    LocalClass parent = type.superclass;
    numbers.assignOther(type);
    numbered |= type.bit;
    writer.format.writeNew(token, type.description(), parent == null, writer);
    if (parent != null) {
      int number = find(parent);
      if (number >= 0) {
        writer.format.writeType(number);
      } else {
        describeWhole(FormatWriter.NO_TOKEN, parent);
      }
    }
  }

  /** Whether the class gets type numbers for narrow numbers, too. */
  private boolean narrows(LocalClass type) {
    return abbreviates
        && writer.format.narrowsNumbers(numbers.size())
        && !isAbbreviated(type)
        && writer.hasNumbers(type);
  }

  private int newType(LocalClass type) {
    if (type.isProxy) {
      return FormatWriter.NEW_PROXY;
    }
    return isSlim(type) ? FormatWriter.NEW_SLIM : FormatWriter.NEW_TYPE;
  }

  private boolean isSlim(LocalClass type) {
    return slim && !isAbbreviated(type);
  }

  /** Whether the format describes the class by a number. */
  private boolean isAbbreviated(LocalClass type) {
    return abbreviates
        && type.type.getClassLoader() == null
        && writer.format.abbreviates(type.description());
  }

  private void writeSuper(@Nullable LocalClass type) throws IOException {
    int number = type == null ? FormatWriter.NO_TYPE : find(type);
    if (type == null || number >= 0) {
      writer.format.writeType(number);
    } else {
      writer.format.writeType(newType(type));
      describe(type, false);
    }
  }

  private void describe(LocalClass type, boolean unshared) throws IOException {
    describe(type, unshared, false);
  }

  private void describe(LocalClass type, boolean unshared, boolean narrows) throws IOException {
    int number = numbers.assignOther(unshared ? null : type);
    numbered |= type.bit;
    if (narrows) {
      if (narrow == null) {
        narrow = new BitSet();
      }
      narrow.set(number);
      numbers.assign(null);
      numbers.assign(null);
    }
    if (type.isProxy) {
      describeProxy(type.type);
    } else if (isSlim(type)) {
      writer.format.writeSlim(type.name, Fingerprint.of(type));
      annotate(type.type);
      return;
    } else if (abbreviates && writer.protocol() != ObjectStreamConstants.PROTOCOL_VERSION_1) {
      writeDescription(type.description());
      annotate(type.type);
    } else {
      describeClass(type.streamClass());
    }
    writeSuper(type.superclass);
  }

  private void describeProxy(Class<?> type) throws IOException {
    Class<?>[] interfaces = type.getInterfaces();
    String[] names = new String[interfaces.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = interfaces[i].getName();
    }
    writer.format.writeProxyInterfaces(names);
    if (annotates) {
      beginAnnotation();
      writer.hooks.annotateProxyClass(type);
      endAnnotation();
    }
    writer.format.writeToken(Token.END_OF_BLOCKS);
  }

  private void describeClass(ObjectStreamClass descriptor) throws IOException {
    if (!abbreviates) {
      writer.beforeProgram();
    }
    if (writer.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_1) {
      writeContent(descriptor);
    } else {
      writer.hooks.writeClassDescriptor(descriptor);
    }
    annotate(descriptor.forClass());
  }

  private void annotate(Class<?> type) throws IOException {
    if (annotates) {
      beginAnnotation();
      writer.hooks.annotateClass(type);
      endAnnotation();
    }
    writer.format.writeToken(Token.END_OF_BLOCKS);
  }

  private void beginAnnotation() throws IOException {
    writer.beforeProgram();
    writer.blocks().setBlockMode(true);
  }

  private void endAnnotation() throws IOException {
    writer.blocks().setBlockMode(false);
  }

  /** Writes name, version, flags and fields. */
  public void writeContent(ObjectStreamClass descriptor) throws IOException {
    Class<?> type = descriptor.forClass();
    LocalClass local = type == null ? null : LocalClass.of(type);
    ClassDescription description =
        local != null && local.streamClass() == descriptor
            ? local.description()
            : StreamClasses.describe(descriptor);
    if (description.isExternalizable()
        && writer.protocol() == ObjectStreamConstants.PROTOCOL_VERSION_1) {
      int flags = description.flags & ~ObjectStreamConstants.SC_BLOCK_DATA;
      description =
          new ClassDescription(
              description.name, description.serialVersionUid, flags, description.fields);
    }
    writeDescription(description);
  }

  private void writeDescription(ClassDescription description) throws IOException {
    if (shared && writer.hooks.overridesCalls()) {
      writer.beforeProgram();
      writeByCalls(description);
    } else {
      writer.format.writeDescription(description, abbreviates, writer);
    }
  }

  /** Writes a description by methods of the stream that a program may override, as the JDK does. */
  private void writeByCalls(ClassDescription description) throws IOException {
    ObjectOutputStream stream = writer.hooks.stream();
    stream.writeUTF(description.name);
    stream.writeLong(description.serialVersionUid);
    stream.writeByte(description.flags);
    stream.writeShort(description.fields.length);
    for (FieldDescription field : description.fields) {
      stream.writeByte(field.code());
      stream.writeUTF(field.name());
      if (!field.isPrimitive()) {
        writeName(field.signature());
      }
    }
  }

  private void writeName(String name) throws IOException {
    int handle = writer.findOrAssignName(name);
    if (handle >= 0) {
      writer.format.writeReference(handle);
    } else {
      writer.format.writeString(name);
    }
  }

  /** Writes a descriptor as an object. */
  public void writeDescriptor(ObjectStreamClass descriptor, boolean unshared) throws IOException {
    Class<?> type = descriptor.forClass();
    LocalClass local = type == null ? null : LocalClass.of(type);
    LocalClass own = local != null && local.streamClass() == descriptor ? local : null;
    Object key = own == null ? descriptor : own;
    int number = unshared ? -1 : numbers.find(key);
    if (number >= 0) {
      writer.format.writeOpening(Token.DESCRIPTION, number);
      return;
    }
    if (own != null) {
      writer.format.writeOpening(Token.DESCRIPTION, newType(own));
      describe(own, unshared);
      return;
    }
    boolean proxy = local != null && local.isProxy;
    writer.format.writeOpening(
        Token.DESCRIPTION, proxy ? FormatWriter.NEW_PROXY : FormatWriter.NEW_TYPE);
    numbers.assign(unshared ? null : descriptor);
    if (local != null && proxy) {
      describeProxy(local.type);
      writeSuper(local.superclass);
    } else {
      describeClass(descriptor);
      writeSupers(descriptor);
    }
  }

  /** Writes the superclasses of a descriptor that is not local. */
  private void writeSupers(ObjectStreamClass descriptor) throws IOException {
    List<StreamClasses.Level> levels = StreamClasses.levels(descriptor);
    for (int i = 1; i < levels.size(); i++) {
      List<StreamClasses.Level> rest = levels.subList(i, levels.size());
      LocalClass local = StreamClasses.local(rest);
      if (local != null) {
        writeSuper(local);
        return;
      }
      writer.format.writeType(FormatWriter.NEW_TYPE);
      numbers.assign(null);
      describeClass(bound(rest));
    }
    writeSuper(null);
  }

  private static ObjectStreamClass bound(List<StreamClasses.Level> levels) throws IOException {
    try {
      return StreamClasses.bound(levels);
    } catch (ClassNotFoundException e) {
      throw new IOException("the JDK cannot describe " + levels.get(0).description().name, e);
    }
  }
}
