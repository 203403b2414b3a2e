#include "panel.h"

#include <cstdarg>

#include <imgui.h>
// Debian's package compiles the backends into the library, without their functions' export marks.
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

namespace
{
bool has_window;
float dots; // pixels that one unit of a layout takes

ImVec2 corner_place(panel_corner corner, const ImVec2 &display)
{
    const float margin = 10 * dots;
    const bool right = corner == PANEL_TOP_RIGHT || corner == PANEL_BOTTOM_RIGHT;
    const bool bottom = corner == PANEL_BOTTOM_LEFT || corner == PANEL_BOTTOM_RIGHT;
    if (corner == PANEL_CENTRE)
        return ImVec2(display.x / 2, display.y / 2);
    return ImVec2(right ? display.x - margin : margin, bottom ? display.y - margin : margin);
}

ImVec2 corner_pivot(panel_corner corner)
{
    const bool right = corner == PANEL_TOP_RIGHT || corner == PANEL_BOTTOM_RIGHT;
    const bool bottom = corner == PANEL_BOTTOM_LEFT || corner == PANEL_BOTTOM_RIGHT;
    if (corner == PANEL_CENTRE)
        return ImVec2(0.5f, 0.5f);
    return ImVec2(right ? 1.0f : 0.0f, bottom ? 1.0f : 0.0f);
}
} // namespace

bool panel_create(GLFWwindow *window, float scale)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowRounding = 5;
    ImGui::GetStyle().Colors[ImGuiCol_WindowBg].w = 0.82f;
    ImGui::GetStyle().ScaleAllSizes(scale);
    ImFontConfig font;
    font.SizePixels = 13 * scale;
    ImGui::GetIO().Fonts->AddFontDefault(&font);
    ImGui::GetIO().IniFilename = nullptr; // nothing is left in the user's folder
    dots = scale;
    has_window = window && ImGui_ImplGlfw_InitForOpenGL(window, true);
    if ((has_window || !window) && ImGui_ImplOpenGL3_Init("#version 430 core"))
        return true;
    if (has_window)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    return false;
}

void panel_destroy(void)
{
    ImGui_ImplOpenGL3_Shutdown();
    if (has_window)
        ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void panel_begin_frame(int width, int height, float seconds)
{
    ImGuiIO &io = ImGui::GetIO();
    ImGui_ImplOpenGL3_NewFrame();
    if (has_window) {
        ImGui_ImplGlfw_NewFrame();
        // Layouts are in pixels: cursor positions, which come in the window's units, are not.
        if (io.DisplaySize.x > 0 && io.DisplaySize.y > 0) {
            io.MousePos.x *= static_cast<float>(width) / io.DisplaySize.x;
            io.MousePos.y *= static_cast<float>(height) / io.DisplaySize.y;
        }
    } else {
        io.DeltaTime = seconds > 0 ? seconds : 1.0f / 60.0f;
    }
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    ImGui::NewFrame();
}

void panel_end_frame(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool panel_wants_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

bool panel_wants_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

bool panel_begin(const char *title, panel_corner corner, float width)
{
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float most = display.y - 20 * dots;
    ImGui::SetNextWindowPos(corner_place(corner, display), ImGuiCond_Appearing,
                            corner_pivot(corner));
    ImGui::SetNextWindowSizeConstraints(ImVec2(width * dots, 0), ImVec2(width * dots, most));
    return ImGui::Begin(title, nullptr,
                        ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing);
}

void panel_end(void)
{
    ImGui::End();
}

bool panel_section(const char *label, bool open_at_first)
{
    return ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void panel_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ImGui::TextV(format, arguments);
    va_end(arguments);
}

void panel_paragraph(const char *text)
{
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

void panel_separator(void)
{
    ImGui::Separator();
}

void panel_same_line(void)
{
    ImGui::SameLine();
}

void panel_hint(const char *text)
{
    if (ImGui::IsItemHovered())
        ImGui::SetTooltip("%s", text);
}

void panel_progress(float fraction, const char *text)
{
    ImGui::ProgressBar(fraction, ImVec2(-1, 0), text);
}

void panel_label(float x, float y, const char *text)
{
    const ImVec2 size = ImGui::CalcTextSize(text), at(x, y);
    const float margin = 5 * dots;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(ImVec2(x - margin, y - margin / 2),
                        ImVec2(x + size.x + margin, y + size.y + margin / 2),
                        IM_COL32(12, 13, 16, 170), 3 * dots);
    list->AddText(at, IM_COL32(235, 235, 235, 255), text);
}

bool panel_input(const char *label, char *text, size_t size, const char *shown)
{
    ImGui::SetNextItemWidth(-1);
    return ImGui::InputTextWithHint(label, shown, text, size);
}

bool panel_button(const char *label)
{
    return ImGui::Button(label);
}

bool panel_checkbox(const char *label, bool *value)
{
    return ImGui::Checkbox(label, value);
}

bool panel_slider(const char *label, uint32_t *value, uint32_t least, uint32_t most,
                  bool logarithmic)
{
    const ImGuiSliderFlags flags =
        ImGuiSliderFlags_AlwaysClamp | (logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    return ImGui::SliderScalar(label, ImGuiDataType_U32, value, &least, &most, "%u", flags);
}

bool panel_slider_float(const char *label, float *value, float least, float most,
                        const char *format)
{
    return ImGui::SliderFloat(label, value, least, most, format, ImGuiSliderFlags_AlwaysClamp);
}

bool panel_radio(const char *label, uint32_t *value, const char *const *names, uint32_t count)
{
    const uint32_t before = *value;
    ImGui::PushID(label);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            ImGui::SameLine();
        if (ImGui::RadioButton(names[i], *value == i))
            *value = i;
    }
    ImGui::PopID();
    return *value != before;
}

bool panel_choice(const char *label, uint32_t *value, const char *const *names, uint32_t count)
{
    const uint32_t before = *value;
    if (!ImGui::BeginCombo(label, *value < count ? names[*value] : ""))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (ImGui::Selectable(names[i], *value == i))
            *value = i;
    ImGui::EndCombo();
    return *value != before;
}

void panel_plot(const char *label, const float *values, size_t count, size_t first, float most,
                const char *text)
{
    ImGui::PlotLines(label, values, static_cast<int>(count), static_cast<int>(first), text, 0, most,
                     ImVec2(ImGui::GetContentRegionAvail().x, 50 * dots));
}

bool panel_table_begin(const char *id, const char *const *headings, uint32_t columns,
                       uint32_t rows_shown)
{
    ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
    ImVec2 size(0, 0);
    if (rows_shown > 0) {
        flags |= ImGuiTableFlags_ScrollY;
        size.y = static_cast<float>(rows_shown + 1) * (ImGui::GetTextLineHeight() + 4 * dots);
    }
    if (!ImGui::BeginTable(id, static_cast<int>(columns), flags, size))
        return false;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (uint32_t i = 0; i < columns; i++)
        ImGui::TableSetupColumn(headings[i]);
    ImGui::TableHeadersRow();
    return true;
}

void panel_table_row(void)
{
    ImGui::TableNextRow();
}

void panel_table_cell(void)
{
    ImGui::TableNextColumn();
}

void panel_table_end(void)
{
    ImGui::EndTable();
}

bool panel_table_pick(const char *text, bool picked)
{
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    return ImGui::Selectable(text, picked, ImGuiSelectableFlags_SpanAllColumns);
}
