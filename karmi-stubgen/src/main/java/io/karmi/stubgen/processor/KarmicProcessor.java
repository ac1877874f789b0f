package io.karmi.stubgen.processor;

import io.karmi.stubgen.emit.ClassFile;
import io.karmi.stubgen.emit.Emitter;
import io.karmi.stubgen.model.ClassFileException;
import io.karmi.stubgen.model.ClassView;
import io.karmi.stubgen.model.Problem;
import io.karmi.stubgen.model.RemoteCheck;
import io.karmi.stubgen.model.RemoteModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.Filer;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.annotation.processing.SupportedOptions;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.ElementFilter;
import javax.tools.Diagnostic;
import javax.tools.FileObject;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * Annotation processor that makes stubs and skeletons of all remote interfaces that are compiled,
 * and of classes that implement several.
 *
 * <p>On the processor path of a compiler it needs neither an annotation nor an option. The option
 * {@code -Akarmic.also=app.Clock,app.Bell} names interfaces that were compiled elsewhere. Class
 * files that would stay as they are are not written again.
 */
@SupportedAnnotationTypes("*")
@SupportedOptions(KarmicProcessor.ALSO)
public final class KarmicProcessor extends AbstractProcessor {
  static final String ALSO = "karmic.also";

  private final Set<String> made = new HashSet<>();
  private boolean begun;

  /** For {@link java.util.ServiceLoader}. */
  public KarmicProcessor() {}

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  /** Looks at all classes; leaves annotations to other processors. */
  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    for (TypeElement each : ElementFilter.typesIn(round.getRootElements())) {
      visit(each);
    }
    if (!begun) {
      begun = true;
      visitOthers();
    }
    return false;
  }

  private void visitOthers() {
    for (String name : processingEnv.getOptions().getOrDefault(ALSO, "").split(",", -1)) {
      if (!name.isBlank()) {
        TypeElement found = processingEnv.getElementUtils().getTypeElement(name.strip());
        if (found == null) {
          processingEnv
              .getMessager()
              .printMessage(Diagnostic.Kind.ERROR, "-A" + ALSO + ": class not found: " + name);
        } else {
          make(new ElementView(found, processingEnv));
        }
      }
    }
  }

  private void visit(TypeElement element) {
    ElementView view = new ElementView(element, processingEnv);
    try {
      if (isWanted(view)) {
        make(view);
      }
    } catch (ClassFileException e) {
      /* The compiler says itself that a class is missing. */
    }
    for (TypeElement nested : ElementFilter.typesIn(element.getEnclosedElements())) {
      visit(nested);
    }
  }

  /** A class with one remote interface needs nothing that the interface does not. */
  private static boolean isWanted(ElementView view) {
    boolean isPrivate = view.element.getModifiers().contains(Modifier.PRIVATE);
    return view.isInterface()
        ? !isPrivate && view.isSubtypeOf("java.rmi.Remote") && !view.isSealed()
        : !view.isAbstract()
            && RemoteModel.remoteInterfacesOf(view).size() > 1
            && !RemoteModel.isSealed(view);
  }

  private void make(ElementView view) {
    boolean failed = false;
    for (Problem problem : RemoteCheck.of(view)) {
      report(problem, view);
      failed |= problem.isError();
    }
    if (failed) {
      return;
    }
    List<ClassView> interfaces = RemoteModel.remoteInterfacesOf(view);
    RemoteModel model = RemoteModel.ofInterfaces(interfaces);
    List<ClassFile> classes = new ArrayList<>(Emitter.stub(model));
    classes.add(Emitter.skeleton(model));
    for (ClassFile each : classes) {
      if (made.add(each.name())) {
        write(each, view.element);
      }
    }
  }

  private void write(ClassFile made, TypeElement origin) {
    Filer filer = processingEnv.getFiler();
    try {
      if (!Arrays.equals(present(filer, made.name()), made.bytes())) {
        try (OutputStream out = filer.createClassFile(made.name(), origin).openOutputStream()) {
          out.write(made.bytes());
        }
      }
    } catch (IOException e) {
      processingEnv
          .getMessager()
          .printMessage(
              Diagnostic.Kind.ERROR, "karmic cannot write " + made.name() + ": " + e, origin);
    }
  }

  private static byte @Nullable [] present(Filer filer, String name) {
    int dot = name.lastIndexOf('.');
    String inPackage = dot < 0 ? "" : name.substring(0, dot);
    String file = name.substring(dot + 1) + ".class";
    try {
      FileObject found = filer.getResource(StandardLocation.CLASS_OUTPUT, inPackage, file);
      try (InputStream in = found.openInputStream()) {
        return in.readAllBytes();
      }
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /** At the method, if it is compiled now; else at the class that inherits it. */
  private void report(Problem problem, ElementView view) {
    Element place = view.element;
    String text = problem.reason();
    String member = problem.member();
    if (member != null) {
      Element method = problem.file().equals(view.name()) ? view.method(member) : null;
      place = method == null ? place : method;
      text = problem.file() + "." + member + ": " + text;
    }
    Diagnostic.Kind kind = problem.isError() ? Diagnostic.Kind.ERROR : Diagnostic.Kind.WARNING;
    processingEnv.getMessager().printMessage(kind, text, place);
  }
}
