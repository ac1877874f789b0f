package io.karmi.stubgen.processor;

import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassView;
import io.karmi.stubgen.model.MethodView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jspecify.annotations.Nullable;

/** The view of a class that a compiler sees, from source or from a class file. */
final class ElementView implements ClassView {
  final TypeElement element;
  private final ProcessingEnvironment environment;

  ElementView(TypeElement element, ProcessingEnvironment environment) {
    this.element = element;
    this.environment = environment;
  }

  @Override
  public String name() {
    return binaryName(element);
  }

  private String binaryName(TypeElement type) {
    return environment.getElementUtils().getBinaryName(type).toString();
  }

  @Override
  public boolean isInterface() {
    return element.getKind().isInterface();
  }

  @Override
  public boolean isFinal() {
    return element.getModifiers().contains(Modifier.FINAL);
  }

  @Override
  public boolean isSealed() {
    return element.getModifiers().contains(Modifier.SEALED);
  }

  @Override
  public boolean isAbstract() {
    return element.getModifiers().contains(Modifier.ABSTRACT);
  }

  @Override
  public boolean isPublic() {
    Set<Modifier> modifiers = element.getModifiers();
    return modifiers.contains(Modifier.PUBLIC) || modifiers.contains(Modifier.PROTECTED);
  }

  @Override
  public @Nullable ClassView superclass() {
    TypeMirror above = element.getSuperclass();
    return isInterface() || above.getKind() == TypeKind.NONE ? null : view(above);
  }

  @Override
  public List<ClassView> interfaces() {
    return views(element.getInterfaces());
  }

  /** Only Java source is written from it, and that is not done here. */
  @Override
  public @Nullable String generics() {
    return null;
  }

  @Override
  public List<String> fieldTypes() {
    List<String> types = new ArrayList<>();
    for (VariableElement field : ElementFilter.fieldsIn(element.getEnclosedElements())) {
      Set<Modifier> modifiers = field.getModifiers();
      if (!modifiers.contains(Modifier.STATIC) && !modifiers.contains(Modifier.TRANSIENT)) {
        types.add(descriptor(field.asType()));
      }
    }
    return types;
  }

  @Override
  public List<MethodView> methods() {
    List<MethodView> methods = new ArrayList<>();
    for (ExecutableElement each : ElementFilter.methodsIn(element.getEnclosedElements())) {
      if (each.getModifiers().contains(Modifier.PUBLIC)) {
        boolean isStatic = each.getModifiers().contains(Modifier.STATIC);
        methods.add(
            new MethodView(
                this,
                each.getSimpleName().toString(),
                descriptor(each),
                isStatic,
                false,
                null,
                views(each.getThrownTypes())));
      }
    }
    return methods;
  }

  /** The element of a method of this class, or null. */
  @Nullable Element method(String declaration) {
    for (ExecutableElement each : ElementFilter.methodsIn(element.getEnclosedElements())) {
      MethodView view =
          new MethodView(
              this,
              each.getSimpleName().toString(),
              descriptor(each),
              false,
              false,
              null,
              List.of());
      if (view.declaration().equals(declaration)) {
        return each;
      }
    }
    return null;
  }

  private String descriptor(ExecutableElement method) {
    StringBuilder descriptor = new StringBuilder("(");
    for (VariableElement parameter : method.getParameters()) {
      descriptor.append(descriptor(parameter.asType()));
    }
    return descriptor.append(')').append(descriptor(method.getReturnType())).toString();
  }

  private String descriptor(TypeMirror type) {
    TypeMirror erased = environment.getTypeUtils().erasure(type);
    return switch (erased.getKind()) {
      case VOID -> "V";
      case BOOLEAN -> "Z";
      case BYTE -> "B";
      case CHAR -> "C";
      case SHORT -> "S";
      case INT -> "I";
      case LONG -> "J";
      case FLOAT -> "F";
      case DOUBLE -> "D";
      case ARRAY -> "[" + descriptor(((ArrayType) erased).getComponentType());
      default -> "L" + view(erased).name().replace('.', '/') + ";";
    };
  }

  private List<ClassView> views(List<? extends TypeMirror> types) {
    List<ClassView> views = new ArrayList<>();
    for (TypeMirror each : types) {
      views.add(view(environment.getTypeUtils().erasure(each)));
    }
    return views;
  }

  private ClassView view(TypeMirror type) {
    if (type.getKind() != TypeKind.DECLARED) {
      throw new ClassFileException("class not found: " + type);
    }
    return new ElementView((TypeElement) ((DeclaredType) type).asElement(), environment);
  }

  @Override
  public ClassView named(String name) {
    /* Both signs may be part of a name; the compiler knows classes inside others by dots. */
    TypeElement found = environment.getElementUtils().getTypeElement(name);
    for (int dollar = name.indexOf('$'); found == null && dollar > 0; ) {
      String nested = name.substring(0, dollar) + name.substring(dollar).replace('$', '.');
      found = environment.getElementUtils().getTypeElement(nested);
      dollar = name.indexOf('$', dollar + 1);
    }
    if (found == null) {
      throw new ClassFileException("class not found: " + name);
    }
    return new ElementView(found, environment);
  }

  @Override
  public String place() {
    return name();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ElementView && ((ElementView) other).element.equals(element);
  }

  @Override
  public int hashCode() {
    return element.hashCode();
  }
}
