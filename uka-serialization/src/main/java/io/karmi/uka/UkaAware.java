package io.karmi.uka;

import io.karmi.uka.field.SelfMarshalling;
import java.io.IOException;

/**
 * A serializable class that carries its own marshalers (KaRMI paper, 3.7): plain code that moves
 * its fields between objects and buffers, with no reflection. Written by hand; the retrofit tool
 * weaves the same into class files, in the shape of {@link io.karmi.uka.field.Woven}.
 *
 * <p>Such a class has two members: the method {@link #marshal}, and an <em>unmarshalling
 * constructor</em> of any access
 *
 * <pre>{@code
 * T(UkaObjectInputStream in) throws IOException, ClassNotFoundException
 * }</pre>
 *
 * <p>The <b>rule</b>: the bytes are those that the stream would have written without them, but for
 * the width of numbers, of which the stream may choose a narrower one where it writes. The class
 * description still travels, and a reader whose class has other fields, or no marshalers, reads the
 * object by the general path. So, for each serializable class of the hierarchy, superclass first:
 *
 * <ol>
 *   <li>the primitive fields in canonical order (by name), each at its full width, little-endian,
 *       without padding, a boolean as one byte;
 *   <li>then the references in canonical order (by name), each by {@link
 *       UkaObjectOutputStream#writeReference}.
 * </ol>
 *
 * <p>Neither static nor transient fields take part. A class may be UKA-aware only if no class of
 * its hierarchy has {@code writeObject}, {@code readObject}, {@code readObjectNoData}, {@code
 * serialPersistentFields} or is {@code Externalizable}, a record or an enum; {@code writeReplace}
 * and {@code readResolve} are fine. All its serializable superclasses are UKA-aware too. The
 * streams check this and take the general path otherwise.
 *
 * <p>The constructor mirrors the method:
 *
 * <ol>
 *   <li>it calls the superclass's unmarshalling constructor; or, if the superclass is not
 *       serializable, its no-argument constructor and then {@code in.register(this)}, which gives
 *       the object its handle, so that what is read next can refer back to it;
 *   <li>it reads the primitives from {@link UkaObjectInputStream#buffer()} and the references by
 *       {@link UkaObjectInputStream#readReference}, into local variables;
 *   <li>it assigns the fields. Only now: until then a method that meets the object through a back
 *       reference sees them unset, as with the JDK's streams. {@code in.cast} reports a value of
 *       the wrong type as those do.
 * </ol>
 *
 * <pre>{@code
 * class Matrix implements Serializable, UkaAware {
 *   private int columns;
 *   private int rows;
 *   private double[] cells;
 *
 *   public void marshal(UkaObjectOutputStream out) throws IOException {
 *     OutputBuffer to = out.buffer();
 *     to.reserve(8);
 *     to.writeInt(columns);
 *     to.writeInt(rows);
 *     out.writeReference(cells);
 *   }
 *
 *   protected Matrix(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
 *     in.register(this);
 *     InputBuffer from = in.buffer();
 *     from.require(8);
 *     int columns = from.readInt();
 *     int rows = from.readInt();
 *     double[] cells = in.cast(in.readReference(), double[].class, Matrix.class, "cells", this);
 *     this.columns = columns;
 *     this.rows = rows;
 *     this.cells = cells;
 *   }
 * }
 * }</pre>
 */
public interface UkaAware extends SelfMarshalling {
  /**
   * Writes the fields of this object, those of superclasses first: a subclass begins with {@code
   * super.marshal(out)}.
   *
   * @throws IOException from the stream
   */
  void marshal(UkaObjectOutputStream out) throws IOException;
}
